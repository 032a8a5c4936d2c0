import { StatePage } from '../ui/state-page.tsx'
import { People } from './people.tsx'
import type { SigningRequest } from './signer-api.ts'
import { useWords } from './words.ts'

export function NotYourTurn({ request }: { request: SigningRequest }) {
  const { say } = useWords()
  return (
    <StatePage icon="clock" title={say('notYourTurnTitle')}>
      {request.subject && <p>{request.subject}</p>}
      <p>{say('notYourTurnText')}</p>
      <People people={request.others} />
    </StatePage>
  )
}
