import { Sheet } from '../../ui/sheet.tsx'
import { useToast } from '../parts/toasts.tsx'
import { service } from '../service.ts'
import { useAction } from '../use-action.ts'
import { AskPassword } from './ask-password.tsx'
import { LastFactor } from './last-factor.tsx'

export type RemovePasskeySheetProps = {
  passkey: { id: string; name: string }
  isLast: boolean
  onClose: () => void
}

/** Removes one passkey; the device may keep its half, which then opens nothing. */
export function RemovePasskeySheet({ passkey: { id, name }, isLast, onClose }: RemovePasskeySheetProps) {
  const { isBusy, error, run } = useAction()
  const say = useToast()
  const remove = async (password: string) => {
    if (!(await run(() => service.removePasskey({ id, password })))) return
    say('The passkey is removed.')
    onClose()
  }
  return (
    <Sheet title={`Remove the passkey “${name}”`} closeLabel="Cancel" isBusy={isBusy} onClose={onClose}>
      <LastFactor isLast={isLast} />
      <AskPassword action="Remove the passkey" kind="danger" isBusy={isBusy} error={error} onPassword={remove} />
    </Sheet>
  )
}
