import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { PageTitle } from './page-title.tsx'

export type StatePageProps = {
  icon: IconName
  tone?: 'good' | 'warn' | 'bad' | 'quiet'
  title: string
  children: ReactNode
}

/** A page that says one thing: what happened, whom to ask, and what can still be done. */
export function StatePage({ icon, tone = 'quiet', title, children }: StatePageProps) {
  return (
    <div className="state-page">
      <span className={tone}>
        <Icon name={icon} />
      </span>
      <PageTitle>{title}</PageTitle>
      {children}
    </div>
  )
}
