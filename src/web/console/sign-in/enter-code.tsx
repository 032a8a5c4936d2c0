import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Input } from '../parts/input.tsx'

export type CodeKind = 'App' | 'RecoveryCode'

export type EnterCodeProps = {
  kind: CodeKind
  isBusy: boolean
  error: Error | undefined
  /** Buttons that lead to what else this person can show. */
  ways: ReactNode
  onCode: (code: string) => unknown
}

/** What the authenticator app shows, or one of the recovery codes. */
export function EnterCode({ kind, isBusy, error, ways, onCode }: EnterCodeProps) {
  const [code, setCode] = useState('')
  const isRecovery = kind === 'RecoveryCode'
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        void onCode(code)
      }}
    >
      <Input
        label={isRecovery ? 'Recovery code' : 'Code from your authenticator app'}
        kind={isRecovery ? 'text' : 'code'}
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        maxLength={isRecovery ? 40 : 6}
        hint={
          isRecovery ? 'One of the codes that you kept when you added the app or passkey. Each works once.' : undefined
        }
        inputRef={field}
        isRequired
      />
      {error && <ErrorNotice error={error} />}
      <div className="form-actions">
        <Button kind="primary" isBusy={isBusy}>
          Sign in
        </Button>
        {ways}
      </div>
    </form>
  )
}
