import { StatePage } from '../ui/state-page.tsx'
import { useWords } from './words.ts'

export function SessionEnded() {
  const { say } = useWords()
  return (
    <StatePage icon="clock" tone="quiet" title={say('sessionEndedTitle')}>
      <p>{say('sessionEndedText')}</p>
      <p className="quiet">{say('sessionEndedAsk')}</p>
    </StatePage>
  )
}
