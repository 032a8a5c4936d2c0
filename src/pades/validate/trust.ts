// Whether a certificate was good for what it signed: a path to a trust anchor at the time that is proven, and
// revocation data that is younger than that time (EN 319 102-1, 5.2.6 and 5.6.2).
import type { Certificate } from '#pki/certificate.ts'
import { isValidAt } from '#pki/certificate.ts'
import { findCommonName } from '#pki/names.ts'
import { validatePath, type PathProblem, type PathPurpose } from '#pki/path.ts'
import {
  collectAnswers,
  judgeAnswers,
  listToProtect,
  type Evidence,
  type RevocationAnswer,
  type RevocationData,
  type RevocationVerdict,
} from '#pki/validation-data.ts'
import { tooComplex } from '../refused.ts'
import { MAX_KNOWN_CERTIFICATES, type Effort } from './bounds.ts'
import type { Findings } from './findings.ts'
import type { SubIndication } from './report.ts'

interface Remembered {
  readonly issuer: Certificate
  readonly found: RevocationAnswer[]
}

export interface TrustContext {
  readonly anchors: Certificate[]
  /** Certificates of the document's store. */
  readonly known: Certificate[]
  /** All revocation data, from the document and from the caller. */
  readonly data: RevocationData
  /** Only what the document holds itself. */
  readonly embedded: RevocationData
  readonly now: Date
  readonly effort: Effort
  /** What has been found out about which certificate from which data. */
  readonly answers: Map<RevocationData, Map<Certificate, Remembered>>
  /** Certificates that somebody known has been seen to have issued. */
  readonly vouched: Set<Certificate>
  /** The earliest moment at which a piece of revocation data is proven to have existed; now for what is not. */
  existedBy(raw: Buffer): Date
}

export interface TrustQuestion {
  readonly certificate: Certificate
  readonly companions: readonly Certificate[]
  readonly purpose: PathPurpose
  /** When what it signed is proven to have existed; undefined if nothing proves it. */
  readonly provenAt: Date | undefined
  /** Revocation data from before this moment says too little. */
  readonly since: Date | undefined
  /**
   * True for the newest document timestamp: answers about its authority stand below it and can't be younger, and no
   * later timestamp proves when they were made. Then any good answer counts, and the report tells its age.
   */
  readonly isNewest?: boolean
}

export interface TrustAnswer {
  readonly path: Certificate[]
  /** The revocation data that the answer rests on. */
  readonly evidence: Buffer[]
  /** True if the document itself brings all revocation data that is needed. */
  readonly isSelfContained: boolean
}

/** Judges a certificate; what is wrong goes into the findings. */
export function judgeTrust(question: TrustQuestion, context: TrustContext, findings: Findings): TrustAnswer {
  const { certificate, companions, purpose, provenAt } = question
  const intermediates = [...companions, ...context.known]
  // Each further step of a path is paid for by the check of a signature.
  context.effort.spend(intermediates.length)
  if (intermediates.length > MAX_KNOWN_CERTIFICATES) throw tooComplex('it holds too many certificates')
  const time = provenAt ?? context.now
  const { path, problems } = validatePath({ certificate, intermediates, anchors: context.anchors, time, purpose })
  for (const problem of problems) reportProblem(problem, provenAt !== undefined, findings)
  if (problems.some(({ code }) => code === 'no-anchor')) return { path, evidence: [], isSelfContained: false }
  const links = listToProtect(path).map((link) => ({ link, raw: judgeLink(link, question, context, findings) }))
  const isSelfContained = links.every(
    ({ link, raw }) => isEmbedded(raw, context) || isProtectedByDocument(link, question, context),
  )
  return { path, evidence: links.flatMap(({ raw }) => (raw === undefined ? [] : [raw])), isSelfContained }
}

const PATH_MEANING: Record<PathProblem['code'], SubIndication> = {
  'no-anchor': 'NO_CERTIFICATE_CHAIN_FOUND',
  expired: 'OUT_OF_BOUNDS_NO_POE',
  'not-yet-valid': 'OUT_OF_BOUNDS_NO_POE',
  'not-an-authority': 'CHAIN_CONSTRAINTS_FAILURE',
  'path-too-long': 'CHAIN_CONSTRAINTS_FAILURE',
  'key-usage': 'CHAIN_CONSTRAINTS_FAILURE',
  'extended-key-usage': 'CHAIN_CONSTRAINTS_FAILURE',
  'name-constraints': 'CHAIN_CONSTRAINTS_FAILURE',
  'critical-extension': 'CHAIN_CONSTRAINTS_FAILURE',
  'weak-algorithm': 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
}

function reportProblem({ code, message }: PathProblem, isProven: boolean, findings: Findings): void {
  // A timestamp from before the certificate began proves that it can't have been the one used (5.5.4, step 5).
  if (code === 'not-yet-valid' && isProven) findings.fail('NOT_YET_VALID', message)
  else findings.question(PATH_MEANING[code], message)
}

interface Link {
  readonly certificate: Certificate
  readonly issuer: Certificate
}

function judgeLink(
  { certificate, issuer }: Link,
  { provenAt, since, isNewest = false }: TrustQuestion,
  context: TrustContext,
  findings: Findings,
): Buffer | undefined {
  const { now } = context
  const who = nameOf(certificate)
  const answers = answersAbout({ certificate, issuer }, context.data, context)
  // A newer answer that nobody can prove must not push out an older one that is proven.
  const prefers = (answer: Evidence) => isValidAt(answer.responder ?? issuer, context.existedBy(answer.raw))
  const verdict = judgeAnswers(answers, { certificate, since: since ?? new Date(0), now, prefers })
  if (verdict.status === 'exempt') return undefined
  if (verdict.status === 'unknown') {
    findings.question('TRY_LATER', `Nothing is known about whether the certificate of ${who} has been revoked.`)
    return undefined
  }
  if (verdict.status === 'too-old') {
    const day = verdict.thisUpdate.toISOString()
    findings.question(
      'REVOCATION_OUT_OF_BOUNDS_NO_POE',
      `What is known about the certificate of ${who} is from ${day}, before it was used.`,
    )
    return undefined
  }
  if (verdict.status === 'revoked') reportRevoked({ who, revokedAt: verdict.revokedAt, provenAt }, findings)
  else if (isNewest) findings.note(`The certificate of ${who} was good at ${verdict.thisUpdate.toISOString()}.`)
  else
    requireCurrent({ who, verdict, issuer, isOpen: since === undefined && provenAt === undefined }, context, findings)
  return verdict.raw
}

/** What the data says about a link; asked again and again where many have signed, so it is remembered. */
function answersAbout(link: Link, data: RevocationData, { effort, answers }: TrustContext): RevocationAnswer[] {
  const known = answers.get(data) ?? new Map<Certificate, Remembered>()
  answers.set(data, known)
  const before = known.get(link.certificate)
  const isKnown = before?.issuer === link.issuer
  const found = isKnown ? before.found : collectAnswers({ ...link, data: dataAbout(link, data, effort) })
  known.set(link.certificate, { issuer: link.issuer, found })
  effort.spend(found.length)
  return found
}

/** Only what names the certificate at all, so that each answer's signature is checked for a reason. */
function dataAbout({ certificate: { serial } }: Link, { ocspResponses, crls }: RevocationData, effort: Effort) {
  effort.spend(ocspResponses.length + crls.length)
  const about = ocspResponses.filter(({ responses }) => responses.some(({ id }) => id.serial.equals(serial)))
  return { ocspResponses: about, crls }
}

function reportRevoked(
  { who, revokedAt, provenAt }: { who: string; revokedAt: Date; provenAt: Date | undefined },
  findings: Findings,
): void {
  const day = revokedAt.toISOString()
  if (provenAt === undefined) findings.question('REVOKED_NO_POE', `The certificate of ${who} was revoked at ${day}.`)
  else if (revokedAt <= provenAt) findings.fail('REVOKED', `The certificate of ${who} had been revoked at ${day}.`)
  else findings.note(`The certificate of ${who} was revoked at ${day}, after it was used.`)
}

interface Current {
  readonly who: string
  readonly verdict: Extract<RevocationVerdict, { status: 'good' }>
  readonly issuer: Certificate
  /** Nothing proves when the certificate was used, so the data must be good for today. */
  readonly isOpen: boolean
}

function requireCurrent({ who, verdict, issuer, isOpen }: Current, context: TrustContext, findings: Findings): void {
  const { now } = context
  if (isOpen && (verdict.nextUpdate === undefined || verdict.nextUpdate < now)) {
    findings.question('TRY_LATER', `What is known about the certificate of ${who} is out of date.`)
  }
  const signer = verdict.responder ?? issuer
  // Once the key behind it has expired, anybody who got hold of it could have made the answer.
  if (!isValidAt(signer, context.existedBy(verdict.raw))) {
    findings.question(
      'REVOCATION_OUT_OF_BOUNDS_NO_POE',
      `It is not proven that the answer about the certificate of ${who} was made in time.`,
    )
  }
}

const isEmbedded = (raw: Buffer | undefined, { embedded }: TrustContext) =>
  [...embedded.ocspResponses, ...embedded.crls].some((known) => known.raw === raw)

/** Asks the document alone, where the answer above came from the caller. */
function isProtectedByDocument(link: Link, { since, provenAt }: TrustQuestion, context: TrustContext): boolean {
  const from = since ?? provenAt
  if (from === undefined) return false
  const answers = answersAbout(link, context.embedded, context)
  const { status } = judgeAnswers(answers, { certificate: link.certificate, since: from, now: context.now })
  return status === 'good' || status === 'exempt' || status === 'revoked'
}

/** A name for people; certificates without a readable one go by their serial number. */
export function nameOf({ subject, serial }: Certificate): string {
  try {
    return findCommonName(subject) ?? `serial number ${serial.toString('hex')}`
  } catch {
    return `serial number ${serial.toString('hex')}`
  }
}
