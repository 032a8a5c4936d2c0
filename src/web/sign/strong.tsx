import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { outcomeOf } from './came-back.ts'
import { startStrong, type Purpose } from './signer-api.ts'
import { useAction } from './use-action.ts'
import { useWords } from './words.ts'

const OUTCOMES = { aborted: 'strongAborted', wrongperson: 'strongWrongPerson', failed: 'strongFailed' } as const

/** Leads to the identity provider; the person comes back to this page. */
export function Strong({ purpose }: { purpose: Purpose }) {
  const { say } = useWords()
  const { isBusy, fault, run } = useAction()
  const outcome = OUTCOMES[outcomeOf(purpose) as keyof typeof OUTCOMES]
  const leave = () => run(async () => location.assign(await startStrong(purpose)))
  return (
    <>
      <p>{say(purpose === 'reading' ? 'strongForReading' : 'strongForSigning')}</p>
      {outcome && !fault && <Notice kind={outcome === 'strongAborted' ? 'warn' : 'bad'}>{say(outcome)}</Notice>}
      {fault && <Notice kind="bad">{fault}</Notice>}
      <div className="sheet-actions">
        <Button kind="primary" icon="key" isBusy={isBusy} onPress={() => void leave()}>
          {say('strongButton')}
        </Button>
      </div>
    </>
  )
}
