import { Sheet } from '../../ui/sheet.tsx'
import { useToast } from '../parts/toasts.tsx'
import { service } from '../service.ts'
import { useAction } from '../use-action.ts'
import { AskPassword } from './ask-password.tsx'

/** Turns the second factor off. */
export function RemoveAppSheet({ onClose }: { onClose: () => void }) {
  const { isBusy, error, run } = useAction()
  const say = useToast()
  const remove = async (password: string) => {
    const isGood = await run(() => service.removeSecondFactor({ password }))
    if (!isGood) return
    say('The authenticator app is removed.')
    onClose()
  }
  return (
    <Sheet title="Remove the authenticator app" closeLabel="Cancel" isBusy={isBusy} onClose={onClose}>
      <p>From then on your password alone is enough to sign in. The recovery codes stop working too.</p>
      <AskPassword action="Remove the app" kind="danger" isBusy={isBusy} error={error} onPassword={remove} />
    </Sheet>
  )
}
