import { Sheet } from '../../ui/sheet.tsx'
import { useToast } from '../parts/toasts.tsx'
import { service } from '../service.ts'
import { useAction } from '../use-action.ts'
import { AskPassword } from './ask-password.tsx'
import { LastFactor } from './last-factor.tsx'

/** Removes the authenticator app; what else is asked for stays. */
export function RemoveAppSheet({ isLast, onClose }: { isLast: boolean; onClose: () => void }) {
  const { isBusy, error, run } = useAction()
  const say = useToast()
  const remove = async (password: string) => {
    const isGood = await run(() => service.removeAuthenticatorApp({ password }))
    if (!isGood) return
    say('The authenticator app is removed.')
    onClose()
  }
  return (
    <Sheet title="Remove the authenticator app" closeLabel="Cancel" isBusy={isBusy} onClose={onClose}>
      <LastFactor isLast={isLast} />
      <AskPassword action="Remove the app" kind="danger" isBusy={isBusy} error={error} onPassword={remove} />
    </Sheet>
  )
}
