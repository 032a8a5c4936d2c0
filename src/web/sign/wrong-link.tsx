import { StatePage } from '../ui/state-page.tsx'
import { useWords } from './words.ts'

export function WrongLink() {
  const { say } = useWords()
  return (
    <StatePage icon="link" tone="warn" title={say('wrongLinkTitle')}>
      <p>{say('wrongLinkText')}</p>
      <p className="quiet">{say('wrongLinkAsk')}</p>
    </StatePage>
  )
}
