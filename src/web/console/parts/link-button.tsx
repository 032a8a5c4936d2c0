import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Link } from '../router.tsx'

export type LinkButtonProps = {
  to: string
  kind?: 'primary' | 'plain' | 'quiet'
  icon?: IconName
  children: ReactNode
}

/** A link to another page of the console that looks like a button. */
export function LinkButton({ to, kind = 'plain', icon, children }: LinkButtonProps) {
  return (
    <Link to={to} className={`button button-${kind}`}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </Link>
  )
}
