import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ICONS } from '../icons.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { knowsPasskeys, showPasskey, type PasskeyAnswer } from '../passkeys.ts'
import type { Answer } from '../service.ts'
import { EnterCode, type CodeKind } from './enter-code.tsx'

type Needed = Answer<'signIn'>

export type SecondFactorProps = {
  needed: Needed
  isBusy: boolean
  error: Error | undefined
  onCode: (code: string) => unknown
  /** Gets the passkey while it is busy, so that a device that does not answer is told like everything that fails. */
  onPasskey: (ask: () => Promise<PasskeyAnswer>) => unknown
}

/** What is asked for after the password: a passkey, a code of the app, or a recovery code. */
export function SecondFactor({ needed, isBusy, error, onCode, onPasskey }: SecondFactorProps) {
  const { factors, passkey } = needed
  const canTouch = passkey !== null && knowsPasskeys()
  const codes = (['App', 'RecoveryCode'] as const).filter((kind) => factors?.includes(kind))
  const [kind, setKind] = useState<'Passkey' | CodeKind | undefined>(canTouch ? 'Passkey' : codes[0])
  const others = [...(canTouch ? (['Passkey'] as const) : []), ...codes].filter((other) => other !== kind)
  const ways = others.map((other) => (
    <Button key={other} kind="quiet" onPress={() => setKind(other)}>
      {WAYS[other]}
    </Button>
  ))
  if (kind === 'Passkey' && passkey !== null)
    return (
      <div className="form">
        <p>Your browser asks for your fingerprint, your face, the device’s PIN, or your security key.</p>
        {error && <ErrorNotice error={error} />}
        <div className="form-actions">
          <Button
            kind="primary"
            icon={ICONS.shield}
            isBusy={isBusy}
            onPress={() => void onPasskey(() => showPasskey(passkey))}
          >
            Use your passkey
          </Button>
          {ways}
        </div>
      </div>
    )
  return (
    <EnterCode
      key={kind}
      kind={kind === 'App' ? 'App' : 'RecoveryCode'}
      isBusy={isBusy}
      error={error}
      ways={ways}
      onCode={onCode}
    />
  )
}

const WAYS = { Passkey: 'Use a passkey', App: 'Use the app', RecoveryCode: 'Use a recovery code' }
