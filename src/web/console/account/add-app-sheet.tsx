import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Copy } from '../parts/copy.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Input } from '../parts/input.tsx'
import { service, type Answer } from '../service.ts'
import { useAction, type Action } from '../use-action.ts'
import { AskPassword } from './ask-password.tsx'
import { QrCode } from './qr-code.tsx'

type Offer = Answer<'addAuthenticatorApp'>

/** Adds an app in three steps: the password, the secret with its first code, the recovery codes. */
export function AddAppSheet({ onClose }: { onClose: () => void }) {
  const action = useAction()
  const [offer, setOffer] = useState<Offer>()
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>()
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
        <Keep codes={recoveryCodes} onClose={onClose} />
      ) : offer !== undefined ? (
        <Scan offer={offer} action={action} onConfirmed={setRecoveryCodes} />
      ) : (
        <AskPassword action="Go on" kind="primary" isBusy={isBusy} error={error} onPassword={begin} />
      )}
    </Sheet>
  )
}

type ScanProps = { offer: Offer; action: Action; onConfirmed: (codes: string[]) => void }

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

function Keep({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <>
      <p>
        The app is on. Keep these codes where you find them without your phone: each lets you in once in place of the
        app. They are shown only now.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="sheet-actions">
        <Copy text={codes.join('\n')} what="recovery codes" />
        <Button kind="primary" onPress={onClose}>
          I have kept them
        </Button>
      </div>
    </>
  )
}
