// Which revocation data says what about a certificate, and whether it is new enough: a list made before a signature
// proves nothing about the moment of the signature (the reason why archived files fail years later).
import type { Certificate } from './certificate.ts'
import { findRevocation, isInScope, isCrlFrom, type Crl } from './crl.ts'
import { PkiError } from './errors.ts'
import { judgeOcspResponse, type OcspResponse } from './ocsp.ts'
import { OID } from './oids.ts'
import type { Revocation } from './revocation-reason.ts'

export interface RevocationData {
  ocspResponses: OcspResponse[]
  crls: Crl[]
}

export interface RevocationSubject {
  certificate: Certificate
  issuer: Certificate
  data: RevocationData
}

export interface RevocationQuestion extends RevocationSubject {
  /** The time that must be covered: the best proof of when the signature existed. Data from before it is too old. */
  since: Date
  /** Data from after this moment is from the future and not believed. */
  now: Date
  /** Of several good answers that are young enough, one that this holds for is taken before a newer one. */
  prefers?: (answer: Evidence) => boolean
}

export type RevocationVerdict =
  | ({ status: 'good' } & Evidence)
  | ({ status: 'revoked' } & Evidence & Revocation)
  /** There is data, but all of it is older than the signature that it should protect. */
  | { status: 'too-old'; thisUpdate: Date }
  | { status: 'unknown' }
  /** The certificate says that nothing needs to be checked (RFC 6960 4.2.2.2.1, RFC 9608). */
  | { status: 'exempt' }

export interface Evidence {
  source: 'ocsp' | 'crl'
  /** The response or list itself, to be embedded. */
  raw: Buffer
  thisUpdate: Date
  nextUpdate: Date | undefined
  /** Who signed an OCSP response; its certificate is to be embedded too. */
  responder?: Certificate
}

/** What the data says about a certificate. A revocation for good wins wherever it stands; else the newest counts. */
export function judgeRevocation(question: RevocationQuestion): RevocationVerdict {
  return judgeAnswers(collectAnswers(question), question)
}

/** Everything in the data that speaks about the certificate and is signed by who may. */
export const collectAnswers = (about: RevocationSubject): RevocationAnswer[] => [
  ...ocspAnswers(about),
  ...crlAnswers(about),
]

/** The same as `judgeRevocation`, for answers that were collected before. */
export function judgeAnswers(
  collected: readonly RevocationAnswer[],
  question: Omit<RevocationQuestion, 'issuer' | 'data'>,
): RevocationVerdict {
  const answers = collected
    .filter(({ thisUpdate }) => thisUpdate <= question.now)
    .sort((one, other) => other.thisUpdate.getTime() - one.thisUpdate.getTime())
  const [newest] = answers
  const revoked = answers.find((answer) => isRevoked(answer) && (answer === newest || !isOnHold(answer)))
  if (revoked) return revoked
  if (isExempt(question.certificate)) return { status: 'exempt' }
  if (newest === undefined) return { status: 'unknown' }
  if (newest.thisUpdate < question.since) return { status: 'too-old', thisUpdate: newest.thisUpdate }
  const youngEnough = answers.filter(({ thisUpdate }) => thisUpdate >= question.since)
  return youngEnough.find((answer) => question.prefers?.(answer) ?? true) ?? newest
}

const isRevoked = ({ status }: RevocationAnswer) => status === 'revoked'

/** Of all reasons, only a hold can be lifted again (RFC 5280 5.3.1). */
const isOnHold = (answer: RevocationAnswer) => answer.status === 'revoked' && answer.reason === 'certificateHold'

/** Only a responder can be spared by ocsp-nocheck; the other two speak for any certificate. */
const isExempt = ({ extensions, extendedKeyUsage }: Certificate) =>
  (extensions.has(OID.ocspNoCheck) && extendedKeyUsage?.includes(OID.ocspSigning) === true) ||
  extensions.has(OID.noRevocationAvailable) ||
  extensions.has(OID.validityAssuredShortTerm)

export type RevocationAnswer = Extract<RevocationVerdict, Evidence>

function ocspAnswers({ certificate, issuer, data }: RevocationSubject): RevocationAnswer[] {
  return data.ocspResponses.flatMap((response): RevocationAnswer[] => {
    const judged = unlessRefused(() => judgeOcspResponse(response, certificate, issuer))
    if (judged === undefined || judged.status === 'unknown') return []
    const { thisUpdate, nextUpdate, responder, status } = judged
    const evidence = { source: 'ocsp' as const, raw: response.raw, thisUpdate, nextUpdate, responder }
    return [status === 'good' ? { status, ...evidence } : { ...evidence, ...status, status: 'revoked' }]
  })
}

function crlAnswers({ certificate, issuer, data }: RevocationSubject): RevocationAnswer[] {
  return data.crls
    .filter((crl) => isInScope(crl, certificate) && isCrlFrom(crl, issuer))
    .flatMap((crl): RevocationAnswer[] => unlessRefused(() => [crlAnswer(crl, certificate)]) ?? [])
}

function crlAnswer(crl: Crl, certificate: Certificate): RevocationAnswer {
  const { raw, thisUpdate, nextUpdate } = crl
  const evidence = { source: 'crl' as const, raw, thisUpdate, nextUpdate }
  const revocation = findRevocation(crl, certificate)
  return revocation ? { ...evidence, ...revocation, status: 'revoked' } : { status: 'good', ...evidence }
}

/** Data that does not fit the question (another issuer, a wrong signature, a broken entry) answers nothing. */
function unlessRefused<T>(judge: () => T): T | undefined {
  try {
    return judge()
  } catch (error) {
    if (error instanceof PkiError) return undefined
    throw error
  }
}

/** The certificates of a path that need revocation data: all but the anchor and those that are exempt. */
export const listToProtect = (path: Certificate[]): { certificate: Certificate; issuer: Certificate }[] =>
  path.flatMap((certificate, index) => {
    const issuer = path[index + 1]
    return issuer === undefined || isExempt(certificate) ? [] : [{ certificate, issuer }]
  })

/** Passes if the data proves that nothing in the path was revoked when the signature was made; returns what to embed. */
export function requireProtection(
  path: Certificate[],
  data: RevocationData,
  times: { since: Date; now: Date },
): Evidence[] {
  return listToProtect(path).map(({ certificate, issuer }) => {
    const verdict = judgeRevocation({ certificate, issuer, data, ...times })
    if (verdict.status === 'good') return verdict
    throw new PkiError(
      'not-valid-now',
      `Revocation data for serial number ${certificate.serial.toString('hex')} is ${verdict.status}; it must be good and not before ${times.since.toISOString()}.`,
    )
  })
}
