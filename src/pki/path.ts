// Certification paths (RFC 5280 6): from a certificate through given intermediates to a trust anchor, judged at a given
// time. Nothing is fetched. All problems of the best path are told, so that a validator can tell "expired since" from
// "never trusted". Certificate policies are not mapped; a critical extension about them fails closed.
import { findAlgorithmWeakness } from './algorithm-policy.ts'
import { isIssuedBy, isSameCertificate, isSelfIssued, publicKeyOf, type Certificate } from './certificate.ts'
import { PkiError } from './errors.ts'
import { findNameConstraints, isWithinConstraints } from './name-constraints.ts'
import { findCommonName, isSameName } from './names.ts'
import { OID } from './oids.ts'
import { isTimestampCertificate } from './timestamp.ts'

export type PathPurpose = 'signature' | 'timestamp' | 'ocsp' | 'any'

export interface PathRequest {
  certificate: Certificate
  /** Whatever may help on the way up; order and duplicates do not matter. */
  intermediates: Certificate[]
  anchors: Certificate[]
  time: Date
  purpose: PathPurpose
}

export type PathProblemCode =
  | 'no-anchor'
  | 'expired'
  | 'not-yet-valid'
  | 'not-an-authority'
  | 'path-too-long'
  | 'key-usage'
  | 'extended-key-usage'
  | 'name-constraints'
  | 'critical-extension'
  | 'weak-algorithm'

export interface PathProblem {
  code: PathProblemCode
  message: string
  certificate: Certificate
}

export interface PathVerdict {
  /** From the certificate to the anchor; without an anchor, as far as it went. */
  path: Certificate[]
  /** Empty if the path is valid. */
  problems: PathProblem[]
}

const MAX_PATH = 10
/** Crossed certificates can be arranged so that the number of paths explodes. */
const MAX_SIGNATURE_CHECKS = 100

/** Finds the best path and what is wrong with it. */
export function validatePath(request: PathRequest): PathVerdict {
  let best: PathVerdict | undefined
  for (const path of walkPaths(request)) {
    const verdict = { path, problems: judgePath(path, request) }
    if (verdict.problems.length === 0) return verdict
    if (best === undefined || verdict.problems.length < best.problems.length) best = verdict
  }
  return best ?? withoutAnchor(request)
}

function withoutAnchor({ certificate }: PathRequest): PathVerdict {
  const problem = problemOf(certificate, 'no-anchor', 'does not lead to a trusted authority')
  return { path: [certificate], problems: [problem] }
}

/** All paths that end in an anchor, each link's signature checked; bounded in length and in work. */
function* walkPaths({ certificate, intermediates, anchors }: PathRequest): Generator<Certificate[]> {
  const budget = { checks: MAX_SIGNATURE_CHECKS }
  const open: Certificate[][] = [[certificate]]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const last = path.at(-1) ?? certificate
    if (anchors.some((anchor) => isSameCertificate(anchor, last))) yield path
    else if (path.length < MAX_PATH) {
      // Anchors first, so that a heap of useless intermediates cannot use up the budget before them.
      const issuers = findIssuers(last, { candidates: [...anchors, ...intermediates], path, budget })
      open.push(...issuers.map((issuer) => [...path, issuer]).reverse())
    }
  }
}

interface IssuerSearch {
  candidates: Certificate[]
  path: Certificate[]
  budget: { checks: number }
}

function findIssuers(certificate: Certificate, { candidates, path, budget }: IssuerSearch): Certificate[] {
  const found: Certificate[] = []
  for (const candidate of candidates) {
    if ([...path, ...found].some((seen) => isSameCertificate(seen, candidate))) continue
    if (!isLikelyIssuer(certificate, candidate) || budget.checks-- <= 0) continue
    if (isIssuedBy(certificate, candidate)) found.push(candidate)
  }
  return found
}

function isLikelyIssuer(certificate: Certificate, candidate: Certificate): boolean {
  const { authorityKeyIdentifier } = certificate
  const { subjectKeyIdentifier } = candidate
  const isOtherKey = authorityKeyIdentifier && subjectKeyIdentifier?.equals(authorityKeyIdentifier) === false
  return !isOtherKey && isSameName(certificate.issuer, candidate.subject)
}

function judgePath(path: Certificate[], { time, purpose }: PathRequest): PathProblem[] {
  const [leaf] = path
  // The anchor is trusted as it is: only its name and key count (RFC 5280 6.1.1 d), and what it permits below it.
  // A leaf that is trusted directly is more than an anchor, and so it is judged.
  const isTrustedLeaf = path.length === 1 && !leaf?.basicConstraints?.isAuthority
  const judged = isTrustedLeaf ? path : path.slice(0, -1)
  const problems = [
    ...judged.flatMap((certificate) => judgeCertificate(certificate, time)),
    ...path.slice(1).flatMap((authority, index) => judgeAuthority(authority, path.slice(0, index + 1))),
  ]
  return leaf ? [...problems, ...judgePurpose(leaf, purpose)] : problems
}

function problemOf(certificate: Certificate, code: PathProblemCode, what: string, detail?: string): PathProblem {
  const message = `The certificate of ${describe(certificate)} ${what}.${detail ? ` ${detail}` : ''}`
  return { code, certificate, message }
}

function describe({ subject, serial }: Certificate): string {
  try {
    return findCommonName(subject) ?? `serial number ${serial.toString('hex')}`
  } catch {
    return `serial number ${serial.toString('hex')}`
  }
}

function judgeCertificate(certificate: Certificate, time: Date): PathProblem[] {
  const problems: PathProblem[] = []
  if (time > certificate.notAfter) problems.push(problemOf(certificate, 'expired', 'had expired'))
  if (time < certificate.notBefore) problems.push(problemOf(certificate, 'not-yet-valid', 'was not valid yet'))
  const unknown = findUnknownCritical(certificate)
  if (unknown) problems.push(problemOf(certificate, 'critical-extension', `has the critical extension ${unknown}`))
  const weakness = findWeakness(certificate, time)
  if (weakness) problems.push(problemOf(certificate, 'weak-algorithm', 'is too weak', weakness))
  return problems
}

/** Judges the certificate's own key, and the algorithm (not the key) with which its issuer signed it. */
function findWeakness(certificate: Certificate, time: Date): string | undefined {
  try {
    return findAlgorithmWeakness({ scheme: certificate.signatureScheme, publicKey: publicKeyOf(certificate), time })
  } catch (error) {
    if (error instanceof PkiError) return error.message
    throw error
  }
}

const PROCESSED_EXTENSIONS: string[] = [
  OID.basicConstraints,
  OID.keyUsage,
  OID.extendedKeyUsage,
  OID.nameConstraints,
  OID.subjectAlternativeName,
  OID.certificatePolicies,
  OID.subjectKeyIdentifier,
  OID.authorityKeyIdentifier,
  OID.crlDistributionPoints,
  OID.noRevocationAvailable,
]

function findUnknownCritical({ extensions }: Certificate): string | undefined {
  for (const [id, { isCritical }] of extensions) if (isCritical && !PROCESSED_EXTENSIONS.includes(id)) return id
  return undefined
}

/** Judges an authority together with the certificates below it, the leaf first. */
function judgeAuthority(authority: Certificate, below: Certificate[]): PathProblem[] {
  const problems: PathProblem[] = []
  const { basicConstraints, keyUsage } = authority
  if (!basicConstraints?.isAuthority) problems.push(problemOf(authority, 'not-an-authority', 'is no authority'))
  if (keyUsage && !keyUsage.includes('keyCertSign')) {
    problems.push(problemOf(authority, 'key-usage', 'must not sign certificates'))
  }
  // RFC 5280 4.2.1.9: intermediates below count, the leaf and self-issued ones do not.
  const intermediates = below.slice(1).filter((certificate) => !isSelfIssued(certificate)).length
  if (basicConstraints?.pathLength !== undefined && intermediates > basicConstraints.pathLength) {
    problems.push(problemOf(authority, 'path-too-long', 'allows fewer authorities below it'))
  }
  if (!areNamesAllowed(authority, below)) {
    problems.push(problemOf(authority, 'name-constraints', 'does not allow the names below it'))
  }
  return problems
}

function areNamesAllowed(authority: Certificate, below: Certificate[]): boolean {
  try {
    const constraints = findNameConstraints(authority)
    if (constraints === undefined) return true
    // RFC 5280 6.1.3 b: self-issued certificates on the way are exempt, the leaf never is.
    return below
      .filter((certificate, index) => index === 0 || !isSelfIssued(certificate))
      .every((certificate) => isWithinConstraints(certificate, constraints))
  } catch (error) {
    if (error instanceof PkiError) return false
    throw error
  }
}

function judgePurpose(leaf: Certificate, purpose: PathPurpose): PathProblem[] {
  if (purpose === 'any') return []
  const problems: PathProblem[] = []
  const { keyUsage, extendedKeyUsage } = leaf
  if (keyUsage && !keyUsage.includes('digitalSignature') && !keyUsage.includes('nonRepudiation')) {
    problems.push(problemOf(leaf, 'key-usage', 'must not sign'))
  }
  if (purpose === 'timestamp' && !isTimestampCertificate(leaf)) {
    problems.push(problemOf(leaf, 'extended-key-usage', 'is not for timestamps alone'))
  }
  if (purpose === 'ocsp' && !extendedKeyUsage?.includes(OID.ocspSigning)) {
    problems.push(problemOf(leaf, 'extended-key-usage', 'is not for OCSP responses'))
  }
  return problems
}

/** Makes the check that a timestamp service wants: the authority must lead to one of these anchors at the token's time. */
export const trustTimestampsOf =
  (anchors: Certificate[]) =>
  (authority: Certificate, certificates: Certificate[], time: Date): void => {
    const purpose = 'timestamp'
    const request: PathRequest = { certificate: authority, intermediates: certificates, anchors, time, purpose }
    const [problem] = validatePath(request).problems
    if (problem) throw new PkiError('timestamp-invalid', `The timestamp authority is not trusted. ${problem.message}`)
  }
