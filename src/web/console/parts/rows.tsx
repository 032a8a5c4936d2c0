import type { ReactNode } from 'react'
import { Link } from '../router.tsx'

/** A list of things, one row each. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="rows" aria-label={label}>
      {children}
    </ul>
  )
}

export type RowProps = {
  /** Where the row leads; the whole of it opens. */
  to?: string
  title: ReactNode
  /** Below the title. */
  detail?: ReactNode
  state?: ReactNode
  /** Whom it waits for, or who did it. */
  who?: ReactNode
  when?: ReactNode
  /** Buttons at the end, for rows that lead nowhere. */
  actions?: ReactNode
}

/** The thing's name first, its state, whom it waits for, when. */
export function Row({ to, title, detail, state, who, when, actions }: RowProps) {
  return (
    <li className={to === undefined ? 'row' : 'row row-opens'}>
      <div className="row-title">
        {to === undefined ? <strong>{title}</strong> : <Link to={to}>{title}</Link>}
        {detail && <div className="quiet small">{detail}</div>}
      </div>
      {state && <div className="row-state">{state}</div>}
      {who && <div className="row-who small">{who}</div>}
      {when && <div className="row-when quiet small">{when}</div>}
      {actions && <div className="row-actions">{actions}</div>}
    </li>
  )
}
