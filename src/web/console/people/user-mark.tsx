import type { User } from '#client'
import { StateMark } from '../parts/state-mark.tsx'

/** Whether somebody can sign in. */
export function UserMark({ user }: { user: Pick<User, 'isActive' | 'hasPassword'> }) {
  if (!user.isActive) {
    return (
      <StateMark tone="bad" icon="cross">
        Deactivated
      </StateMark>
    )
  }
  return user.hasPassword ? (
    <StateMark tone="good" icon="done">
      Active
    </StateMark>
  ) : (
    <StateMark tone="accent" icon="clock">
      Invited
    </StateMark>
  )
}
