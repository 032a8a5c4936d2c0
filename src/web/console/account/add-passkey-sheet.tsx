import { useState } from 'react'
import { Sheet } from '../../ui/sheet.tsx'
import { Input } from '../parts/input.tsx'
import { useToast } from '../parts/toasts.tsx'
import { makePasskey } from '../passkeys.ts'
import { service } from '../service.ts'
import { useAction } from '../use-action.ts'
import { AskPassword } from './ask-password.tsx'
import { describeBrowser } from './describe-browser.ts'
import { KeepCodes } from './keep-codes.tsx'

/** Adds a passkey: its name and the password, then the device, then the recovery codes where it is the first factor. */
export function AddPasskeySheet({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState(() => describeBrowser(navigator.userAgent))
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>()
  const { isBusy, error, run } = useAction()
  const say = useToast()

  const add = (password: string) =>
    run(async () => {
      const credential = await makePasskey(await service.askForNewPasskey({ password }))
      const added = await service.addPasskey({ name, credential })
      if (added.recoveryCodes !== null) return setRecoveryCodes(added.recoveryCodes)
      say('The passkey is added.')
      onClose()
    })

  return (
    <Sheet title="Add a passkey" closeLabel={recoveryCodes ? 'Close' : 'Cancel'} isBusy={isBusy} onClose={onClose}>
      {recoveryCodes !== undefined ? (
        <KeepCodes codes={recoveryCodes} onClose={onClose} />
      ) : (
        <AskPassword action="Go on to the device" kind="primary" isBusy={isBusy} error={error} onPassword={add}>
          <p>Your browser then asks for your fingerprint, your face, the device’s PIN, or a security key.</p>
          <Input
            label="Name of the device"
            value={name}
            onChange={setName}
            maxLength={255}
            hint="So that you know it again in the list."
            isRequired
          />
        </AskPassword>
      )}
    </Sheet>
  )
}
