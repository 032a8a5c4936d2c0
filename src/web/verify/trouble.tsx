import { Button } from '../ui/button.tsx'
import { StatePage } from '../ui/state-page.tsx'
import type { TroubleKind } from './verify-api.ts'
import { useWords, type Key } from './words.ts'

const TEXTS: Readonly<Record<TroubleKind, Key>> = {
  notPdf: 'troubleNotPdf',
  tooLarge: 'troubleTooLarge',
  busy: 'troubleBusy',
  offline: 'troubleOffline',
  other: 'troubleOther',
}

export type TroublePageProps = { name: string; trouble: TroubleKind; onAgain: () => void }

/** There is no verdict: what happened, and how to go on. */
export function TroublePage({ name, trouble, onAgain }: TroublePageProps) {
  const { say } = useWords()
  return (
    <StatePage icon="warning" tone="warn" title={say('troubleTitle')}>
      <p>{say(TEXTS[trouble], { name })}</p>
      <div className="state-page-actions">
        <Button kind="primary" onPress={onAgain}>
          {say('chooseAnother')}
        </Button>
      </div>
    </StatePage>
  )
}
