import { StatePage } from '../ui/state-page.tsx'
import { Proof } from './proof.tsx'
import type { SigningRequest } from './signer-api.ts'
import { useWords } from './words.ts'

/** Nothing of the request is shown before the person has proved who they are. */
export function Authenticate({ request, onMet }: { request: SigningRequest; onMet: () => Promise<void> }) {
  const { say } = useWords()
  return (
    <StatePage icon="key" title={say('codeTitle')}>
      <Proof purpose="reading" strength={request.reading.strength} onMet={onMet} />
    </StatePage>
  )
}
