import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { CommandLine } from './command-line.tsx'

export type EmptyStateProps = {
  icon: IconName
  title: string
  /** What this is and what it is good for. */
  children: ReactNode
  action?: ReactNode
  /** The same by the API. */
  command?: string
}

/** Nothing there yet: what this is, one button, and the same as a curl line. */
export function EmptyState({ icon, title, children, action, command }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <span className="quiet">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      <p className="quiet">{children}</p>
      {action}
      {command && <CommandLine label="The same from a program" command={command} />}
    </div>
  )
}
