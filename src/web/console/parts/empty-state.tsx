import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { CommandLine } from './command-line.tsx'

export type EmptyStateProps = {
  icon: IconName
  title: string
  /** What this is and what it is good for. */
  children: ReactNode
  /** The same by the API. */
  command?: string
}

/** Nothing there yet: what this is, and the same as a curl line. The one button stands at the page’s title, as ever. */
export function EmptyState({ icon, title, children, command }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <span className="quiet">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      <p className="quiet">{children}</p>
      {command && <CommandLine label="The same from a program" command={command} />}
    </div>
  )
}
