import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Input } from '../parts/input.tsx'

export type EnterCodeProps = {
  isBusy: boolean
  error: Error | undefined
  onCode: (code: string) => unknown
}

/** The second factor: what the authenticator app shows, or one of the recovery codes. */
export function EnterCode({ isBusy, error, onCode }: EnterCodeProps) {
  const [code, setCode] = useState('')
  const [isRecovery, setRecovery] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [isRecovery])
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
        hint={isRecovery ? 'One of the codes that you kept when you added the app. Each works once.' : undefined}
        inputRef={field}
        isRequired
      />
      {error && <ErrorNotice error={error} />}
      <div className="form-actions">
        <Button kind="primary" isBusy={isBusy}>
          Sign in
        </Button>
        <Button
          kind="quiet"
          onPress={() => {
            setRecovery(!isRecovery)
            setCode('')
          }}
        >
          {isRecovery ? 'Use the app' : 'The app is not at hand'}
        </Button>
      </div>
    </form>
  )
}
