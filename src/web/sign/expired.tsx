import { StatePage } from '../ui/state-page.tsx'
import { useWords } from './words.ts'

export function Expired() {
  const { say } = useWords()
  return (
    <StatePage icon="clock" tone="warn" title={say('expiredTitle')}>
      <p>{say('expiredText')}</p>
      <p className="quiet">{say('expiredAsk')}</p>
    </StatePage>
  )
}
