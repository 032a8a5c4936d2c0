import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { startStrong, type Purpose } from './signer-api.ts'
import { useAction } from './use-action.ts'
import { useWords } from './words.ts'

/** Leads to the identity provider; the person comes back to this page. */
export function Strong({ purpose }: { purpose: Purpose }) {
  const { say } = useWords()
  const { isBusy, fault, run } = useAction()
  const leave = () => run(async () => location.assign(await startStrong(purpose)))
  return (
    <>
      <p>{say(purpose === 'reading' ? 'strongForReading' : 'strongForSigning')}</p>
      {fault && <Notice kind="bad">{fault}</Notice>}
      <div className="sheet-actions">
        <Button kind="primary" icon="key" isBusy={isBusy} onPress={() => void leave()}>
          {say('strongButton')}
        </Button>
      </div>
    </>
  )
}
