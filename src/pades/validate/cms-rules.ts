// What must hold inside the CMS of a signature or token beyond its arithmetic (RFC 5652, EN 319 122-1, EN 319 142-1).
// Much of a CMS is not signed. Whatever in there we can't account for is a doubt, so that no byte of it can change
// without being noticed.
import type { Certificate } from '#pki/certificate.ts'
import { isIssuedBy, isSameCertificate } from '#pki/certificate.ts'
import type { SignedData } from '#pki/cms-reader.ts'
import type { CmsFinding } from '#pki/cms-verify.ts'
import { contextTag, TAG } from '#pki/der.ts'
import { readDer } from '#pki/der-reader.ts'
import { OID } from '#pki/oids.ts'
import type { TimestampFinding } from '#pki/timestamp.ts'
import type { Effort } from './bounds.ts'
import type { Findings } from './findings.ts'
import type { SubIndication } from './report.ts'

type Judged = readonly [SubIndication, 'fail' | 'question', string]

const MEANING: Record<CmsFinding | TimestampFinding, Judged> = {
  'digest-mismatch': ['HASH_FAILURE', 'fail', 'The signed content has been changed.'],
  'imprint-mismatch': ['HASH_FAILURE', 'fail', 'The timestamp is over something else.'],
  'signature-invalid': ['SIG_CRYPTO_FAILURE', 'fail', 'The signature value is wrong.'],
  'content-type-mismatch': ['FORMAT_FAILURE', 'fail', 'The signature is about another kind of content.'],
  'algorithm-mismatch': ['FORMAT_FAILURE', 'fail', 'The signature names two different hash algorithms.'],
  'signer-certificate-missing': ['NO_SIGNING_CERTIFICATE_FOUND', 'fail', 'The certificate of the signer is missing.'],
  'signing-certificate-mismatch': ['FORMAT_FAILURE', 'fail', 'The signature was made for another certificate.'],
  'signing-certificate-attribute-missing': [
    'SIG_CONSTRAINTS_FAILURE',
    'question',
    'The signature does not say which certificate it was made with.',
  ],
  'weak-imprint-hash': ['CRYPTO_CONSTRAINTS_FAILURE_NO_POE', 'question', 'The timestamp rests on a broken hash.'],
  'key-usage-not-timestamping': ['CHAIN_CONSTRAINTS_FAILURE', 'fail', 'The certificate is not one for timestamps.'],
  'certificate-not-valid-at-time': [
    'OUT_OF_BOUNDS_NO_POE',
    'question',
    'The authority’s certificate was not valid then.',
  ],
  'weak-algorithm': ['CRYPTO_CONSTRAINTS_FAILURE_NO_POE', 'question', 'The timestamp uses a weak algorithm.'],
}

/** Puts what the arithmetic showed into words. */
export function report(found: readonly (CmsFinding | TimestampFinding)[], findings: Findings): void {
  for (const finding of found) {
    const [subIndication, weight, message] = MEANING[finding]
    findings[weight](subIndication, message)
  }
}

/** Certificates from elsewhere: those in the document's store, and the trust anchors. */
export interface Surroundings {
  readonly known: readonly Certificate[]
  readonly anchors: readonly Certificate[]
  readonly effort: Effort
  /** Those that have passed before. */
  readonly vouched: Set<Certificate>
}

interface Envelope {
  readonly signedData: SignedData
  readonly certificates: readonly Certificate[]
}

/** Judges the parts of a CMS that its signature does not protect. */
export function judgeUnsignedParts(
  { signedData, certificates }: Envelope,
  { known, ...surroundings }: Surroundings,
  findings: Findings,
): void {
  if (!isExactlyEncoded(signedData)) {
    findings.question('FORMAT_FAILURE', 'The envelope of the signature is not as its standard wants it.')
  }
  const unknown = signedData.signer.unsignedAttributeTypes.filter((type) => type !== OID.signatureTimestampToken)
  if (unknown.length > 0) {
    findings.question('SIG_CONSTRAINTS_FAILURE', `The signature carries something unknown (${unknown.join(', ')}).`)
  }
  if (certificates.length !== signedData.certificates.length) {
    findings.question('CERTIFICATE_CHAIN_GENERAL_FAILURE', 'A certificate beside the signature cannot be read.')
  }
  const around = { ...surroundings, known: [...certificates, ...known] }
  if (!certificates.every((certificate) => isVouchedFor(certificate, around))) {
    findings.question('CERTIFICATE_CHAIN_GENERAL_FAILURE', 'A certificate beside the signature cannot be checked.')
  }
}

/** RFC 5652 5.1 fixes the version by the content; all certificates are plain ones, and there are no lists. */
function isExactlyEncoded({ der, contentType, certificates, crls, signer }: SignedData): boolean {
  const fields = readDer(der).children[1]?.only.fields()
  const version = fields?.next().smallInteger()
  fields?.next()
  fields?.next()
  const bag = fields?.optional(contextTag(0))?.children ?? []
  const expected = contentType === OID.data && !('keyId' in signer.reference) ? 1 : 3
  return version === expected && crls.length === 0 && bag.length === certificates.length && isPlain(bag)
}

const isPlain = (nodes: { tag: number }[]) => nodes.every(({ tag }) => tag === TAG.sequence)

/** True if somebody whose certificate we have really issued it, or if it is trusted itself. */
export function isVouchedFor(certificate: Certificate, { known, anchors, effort, vouched }: Surroundings): boolean {
  if (vouched.has(certificate)) return true
  const isVouched =
    anchors.some((anchor) => isSameCertificate(anchor, certificate)) ||
    [...known, ...anchors].some((issuer) => hasIssued(issuer, certificate, effort))
  if (isVouched) vouched.add(certificate)
  return isVouched
}

function hasIssued(issuer: Certificate, certificate: Certificate, effort: Effort): boolean {
  effort.spend(1)
  // Authorities copy their own name to the letter; comparing it by the book would cost far more.
  if (!issuer.subject.equals(certificate.issuer)) return false
  return isIssuedBy(certificate, issuer)
}

/** The reference to the signer is not signed either; it must name the certificate to the letter. */
export function namesExactly({ signer }: SignedData, certificate: Certificate): boolean {
  return 'keyId' in signer.reference || signer.reference.issuer.equals(certificate.issuer)
}
