import { Link } from '../router.tsx'

export type TabsProps = {
  label: string
  current: string
  tabs: readonly (readonly [to: string, name: string])[]
}

/** Pages that belong together, each with an address of its own. */
export function Tabs({ label, current, tabs }: TabsProps) {
  return (
    <nav aria-label={label} className="tabs">
      <ul>
        {tabs.map(([to, name]) => (
          <li key={to}>
            <Link to={to} isCurrent={to === current}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
