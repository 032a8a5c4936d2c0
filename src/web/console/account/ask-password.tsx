import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Input } from '../parts/input.tsx'
import { MOST_PASSWORD_LENGTH } from '../sign-in/new-password-field.tsx'

export type AskPasswordProps = {
  action: string
  kind: 'primary' | 'danger'
  isBusy: boolean
  error: Error | undefined
  onPassword: (password: string) => unknown
  /** What is asked for before it. */
  children?: ReactNode
}

/** The password once more, before what somebody at an unlocked computer must not do. */
export function AskPassword({ action, kind, isBusy, error, onPassword, children }: AskPasswordProps) {
  const [password, setPassword] = useState('')
  return (
    <form
      className="sheet-form"
      onSubmit={(event) => {
        event.preventDefault()
        void onPassword(password)
      }}
    >
      {children}
      <Input
        label="Your password"
        kind="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        maxLength={MOST_PASSWORD_LENGTH}
        isRequired
      />
      {error && <ErrorNotice error={error} />}
      <div className="sheet-actions">
        <Button kind={kind} isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  )
}
