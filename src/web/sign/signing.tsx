import { PageTitle } from '../ui/page-title.tsx'
import { useWords } from './words.ts'

/** The signature is being made. Nothing is lost by leaving. */
export function Signing() {
  const { say } = useWords()
  return (
    <div className="state-page" role="status">
      <span className="turning" />
      <PageTitle>{say('signing')}</PageTitle>
      <p>{say('signingHint')}</p>
    </div>
  )
}
