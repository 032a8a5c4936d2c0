import { StatePage } from '../ui/state-page.tsx'
import { Return } from './return.tsx'
import type { SigningRequest } from './signer-api.ts'
import { useWords } from './words.ts'

export function Declined({ request, isFresh }: { request?: SigningRequest | undefined; isFresh: boolean }) {
  const { say } = useWords()
  const reason = request?.declineReason
  return (
    <StatePage icon="cross" title={say('declinedTitle')}>
      <p>{say('declinedText')}</p>
      {reason && <p>{say('declinedReason', { reason })}</p>}
      <p className="quiet">{say('declinedAsk')}</p>
      {request?.returnUrl && <Return url={request.returnUrl} isFresh={isFresh} />}
    </StatePage>
  )
}
