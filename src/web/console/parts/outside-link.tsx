import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { ICONS } from '../icons.ts'

/** A link that looks like a button and opens beside this page. */
export function OutsideLink({
  href,
  kind = 'plain',
  children,
}: {
  href: string
  kind?: 'primary' | 'plain'
  children: ReactNode
}) {
  return (
    <a className={`button button-${kind}`} href={href} target="_blank" rel="noopener noreferrer">
      <Icon name={ICONS.out} />
      <span>
        {children}
        <span className="for-screen-readers"> (opens beside this page)</span>
      </span>
    </a>
  )
}
