import { Icon, type IconName } from '../../ui/icon.tsx'

export type Tone = 'good' | 'warn' | 'bad' | 'quiet' | 'accent'

/** A state by icon, word and colour together. */
export function StateMark({ tone, icon, children }: { tone: Tone; icon: IconName; children: string }) {
  return (
    <span className={`state-mark ${tone}`}>
      <Icon name={icon} />
      <span>{children}</span>
    </span>
  )
}
