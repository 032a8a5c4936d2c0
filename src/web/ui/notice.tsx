import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

const ICONS: Record<NoticeKind, IconName> = { good: 'done', warn: 'warning', bad: 'cross' }

export type NoticeKind = 'good' | 'warn' | 'bad'

/** One sentence with its icon: never colour alone. */
export function Notice({ kind, children }: { kind: NoticeKind; children: ReactNode }) {
  return (
    <p className={`with-icon ${kind}`}>
      <Icon name={ICONS[kind]} />
      <span>{children}</span>
    </p>
  )
}
