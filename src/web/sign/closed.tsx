import { StatePage } from '../ui/state-page.tsx'
import { useWords } from './words.ts'

export function Closed() {
  const { say } = useWords()
  return (
    <StatePage icon="done" tone="good" title={say('closedTitle')}>
      <p>{say('closedText')}</p>
      <p className="quiet">{say('closedAsk')}</p>
    </StatePage>
  )
}
