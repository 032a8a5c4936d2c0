import { Button } from '../ui/button.tsx'
import { StatePage } from '../ui/state-page.tsx'
import { useWords } from './words.ts'

export type TroubleProps = { isOffline: boolean; requestId: string | undefined; onRetry: () => Promise<void> }

export function Trouble({ isOffline, requestId, onRetry }: TroubleProps) {
  const { say } = useWords()
  return (
    <StatePage icon="warning" tone="warn" title={say('troubleTitle')}>
      <p>{say(isOffline ? 'troubleOffline' : 'troubleText')}</p>
      {requestId && <p className="quiet small">{say('troubleNumber', { id: requestId })}</p>}
      <div className="state-page-actions">
        <Button kind="primary" onPress={() => void onRetry()}>
          {say('tryAgain')}
        </Button>
      </div>
    </StatePage>
  )
}
