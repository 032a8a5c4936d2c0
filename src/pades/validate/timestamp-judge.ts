// Judges a timestamp token, be it over a signature or over the document.
import type { HashName } from '#pki/algorithms.ts'
import type { Certificate } from '#pki/certificate.ts'
import { PkiError } from '#pki/errors.ts'
import { parseTimestampToken, verifyTimestampToken, type TimestampToken } from '#pki/timestamp.ts'
import { judgeUnsignedParts, namesExactly, report } from './cms-rules.ts'
import type { Findings } from './findings.ts'
import { judgeTrust, type TrustAnswer, type TrustContext } from './trust.ts'

/** The token, or undefined with the reason among the findings. */
export function readToken(der: Buffer, findings: Findings): TimestampToken | undefined {
  try {
    return parseTimestampToken(der)
  } catch (error) {
    if (!(error instanceof PkiError)) throw error
    findings.fail('FORMAT_FAILURE', `The timestamp cannot be read: ${error.message}`)
    return undefined
  }
}

export interface TokenQuestion {
  readonly token: TimestampToken
  readonly digestOf: (hash: HashName) => Buffer
  /** A later timestamp proves that this one existed by then. */
  readonly provenAt: Date | undefined
  /** Nothing younger protects it, so data about its authority can't be younger either. */
  readonly isNewest: boolean
}

export interface TokenAnswer extends Partial<TrustAnswer> {
  readonly authority: Certificate | undefined
  readonly time: Date
}

/** Judges imprint, signature, authority and order in time. */
export function judgeToken(question: TokenQuestion, context: TrustContext, findings: Findings): TokenAnswer {
  const { token, digestOf, provenAt, isNewest } = question
  const { time } = token.info
  const verdict = verifyTimestampToken(token, digestOf)
  report(verdict.findings, findings)
  const latest = provenAt ?? context.now
  if (time > latest) {
    findings.question('TIMESTAMP_ORDER_FAILURE', `The timestamp of ${time.toISOString()} is later than what covers it.`)
  }
  const { authority } = verdict
  if (authority === undefined) return { authority, time }
  if (!namesExactly(token.signedData, authority)) {
    findings.question('FORMAT_FAILURE', 'The timestamp names its authority inexactly.')
  }
  const since = isNewest ? undefined : time
  const trust = judgeTrust(
    { certificate: authority, companions: verdict.certificates, purpose: 'timestamp', provenAt, since, isNewest },
    context,
    findings,
  )
  judgeUnsignedParts({ signedData: token.signedData, certificates: verdict.certificates }, context, findings)
  return { authority, time, ...trust }
}
