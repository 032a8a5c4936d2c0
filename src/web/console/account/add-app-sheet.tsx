import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Input } from '../parts/input.tsx'
import { service, type Answer } from '../service.ts'
import { useAction, type Action } from '../use-action.ts'
import { AskPassword } from './ask-password.tsx'
import { KeepCodes } from './keep-codes.tsx'
import { QrCode } from './qr-code.tsx'

type Offer = Answer<'addAuthenticatorApp'>

/** Adds an app in three steps: the password, the secret with its first code, the recovery codes. */
export function AddAppSheet({ onClose }: { onClose: () => void }) {
  const action = useAction()
  const [offer, setOffer] = useState<Offer>()
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>()
  const confirmed = (codes: string[] | null) => (codes === null ? onClose() : setRecoveryCodes(codes))
  const { isBusy, error, run } = action
  const begin = (password: string) => run(async () => setOffer(await service.addAuthenticatorApp({ password })))
  return (
    <Sheet
      title="Add an authenticator app"
      closeLabel={recoveryCodes ? 'Close' : 'Cancel'}
      isBusy={isBusy}
      onClose={onClose}
    >
      {recoveryCodes !== undefined ? (
        <KeepCodes codes={recoveryCodes} onClose={onClose} />
      ) : offer !== undefined ? (
        <Scan offer={offer} action={action} onConfirmed={confirmed} />
      ) : (
        <AskPassword action="Go on" kind="primary" isBusy={isBusy} error={error} onPassword={begin} />
      )}
    </Sheet>
  )
}

type ScanProps = { offer: Offer; action: Action; onConfirmed: (codes: string[] | null) => void }

function Scan({ offer: { secret, uri }, action: { isBusy, error, run }, onConfirmed }: ScanProps) {
  const [code, setCode] = useState('')
  const confirm = () => run(async () => onConfirmed((await service.confirmAuthenticatorApp({ code })).recoveryCodes))
  return (
    <form
      className="sheet-form"
      onSubmit={(event) => {
        event.preventDefault()
        void confirm()
      }}
    >
      <p>Scan this with the app on your phone, then enter the six digits that it shows.</p>
      <QrCode text={uri} label="QR code for the authenticator app" />
      <p className="small">
        <span className="quiet">Without a camera, type this into the app:</span>{' '}
        <code>{secret.match(/.{1,4}/g)!.join(' ')}</code>
      </p>
      <Input
        label="Code from the app"
        kind="code"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        maxLength={6}
        isRequired
      />
      {error && <ErrorNotice error={error} />}
      <div className="sheet-actions">
        <Button kind="primary" isBusy={isBusy}>
          Turn it on
        </Button>
      </div>
    </form>
  )
}
