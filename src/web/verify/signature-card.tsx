import { Icon } from '../ui/icon.tsx'
import { AFTERWARDS, CHAINS, LEVELS, listAdditions, reasonOf, STATES } from './plain-words.ts'
import type { Signature } from './verify-api.ts'
import { useWords, type Words } from './words.ts'

/** One signature or timestamp: who, when, how strong, whose word it rests on, and what came afterwards. */
export function SignatureCard({ signature }: { signature: Signature }) {
  const words = useWords()
  const { say } = words
  const { icon, tone, title } = STATES[signature.indication]
  const reason = reasonOf(signature)
  return (
    <article className="card">
      <header className="card-top">
        <h3>{signature.subject ?? say('nameless')}</h3>
        <p className={`with-icon ${tone}`}>
          <Icon name={icon} />
          <strong>{say(title)}</strong>
        </p>
      </header>
      <ul className="facts">
        {reason && <li className={tone}>{say(reason)}</li>}
        {tellTime(signature, words) && <li>{tellTime(signature, words)}</li>}
        <li>{say(CHAINS[signature.kind][signature.chainEndsAt])}</li>
        {signature.level && <li>{say(LEVELS[signature.level])}</li>}
      </ul>
      <Afterwards signature={signature} />
      <Details signature={signature} />
    </article>
  )
}

function tellTime({ kind, provenTime, claimedTime }: Signature, { say, moment }: Words): string | undefined {
  if (provenTime !== null) {
    return say(kind === 'signature' ? 'signedProven' : 'stampedAt', { time: moment(provenTime) })
  }
  return claimedTime === null ? undefined : say('signedClaimed', { time: moment(claimedTime) })
}

function Afterwards({ signature }: { signature: Signature }) {
  const { say } = useWords()
  const { changedAfterwards, indication } = signature
  // Of what is wrong in itself, nobody can say that it was left alone.
  if (indication === 'TOTAL-FAILED' && changedAfterwards !== 'unexplained') return null
  const additions = changedAfterwards === 'explained' ? listAdditions(signature) : []
  return (
    <div className={changedAfterwards === 'unexplained' ? 'afterwards bad' : 'afterwards quiet'}>
      <p>{say(AFTERWARDS[changedAfterwards])}</p>
      {additions.length > 0 && (
        <ul className="additions">
          {additions.map(({ key, count }) => (
            <li key={key}>{say(key, { count })}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The validator’s own sentences stay in English, as in the report: they are there to be quoted and searched for. What
 * they mean is said above, in the reader’s language. */
function Details({ signature: { certificates, findings } }: { signature: Signature }) {
  const { say, moment } = useWords()
  if (certificates.length === 0 && findings.length === 0) return null
  return (
    <details>
      <summary>{say('details')}</summary>
      {findings.length > 0 && (
        <>
          <h4>{say('findings')}</h4>
          <ul className="bullets" lang="en">
            {findings.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </>
      )}
      {certificates.length > 0 && (
        <>
          <h4>{say('certificates')}</h4>
          <ol className="bullets">
            {certificates.map(({ sha256, subject, notBefore, notAfter }) => (
              <li key={sha256}>
                {subject}
                <br />
                <span className="quiet">{say('validFromTo', { from: moment(notBefore), to: moment(notAfter) })}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </details>
  )
}
