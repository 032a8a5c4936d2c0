import { PageTitle } from '../ui/page-title.tsx'
import type { SigningRequest } from './signer-api.ts'
import { useWords } from './words.ts'

/** The documents come in a moment. What they are about is known already, and stays where it is when they come. */
export function Preparing({ request }: { request: SigningRequest }) {
  const { say } = useWords()
  return (
    <div className="state-page" role="status">
      <span className="turning" />
      <PageTitle>{request.subject}</PageTitle>
      <p>{say('preparing')}</p>
    </div>
  )
}
