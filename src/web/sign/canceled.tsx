import { StatePage } from '../ui/state-page.tsx'
import { useWords } from './words.ts'

export function Canceled() {
  const { say } = useWords()
  return (
    <StatePage icon="cross" tone="quiet" title={say('canceledTitle')}>
      <p>{say('canceledText')}</p>
      <p className="quiet">{say('canceledAsk')}</p>
    </StatePage>
  )
}
