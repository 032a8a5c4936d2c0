import { Icon } from '../../ui/icon.tsx'
import { ICONS } from '../icons.ts'
import { Link } from '../router.tsx'

/** The way back to the list, above a page's title. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="back-link">
      <Icon name={ICONS.back} />
      <span>{children}</span>
    </Link>
  )
}
