// Judges a parsed CMS: the arithmetic and the rules that hold inside it. Trust, time and revocation are judged later,
// with what this returns.
import { createHash } from 'node:crypto'
import { isSignedBy, parseCertificate, type Certificate } from './certificate.ts'
import type { SignedData, SigningCertificate } from './cms-reader.ts'
import { PkiError } from './errors.ts'
import { isSameName } from './names.ts'

export type CmsFinding =
  | 'signer-certificate-missing'
  | 'content-type-mismatch'
  | 'digest-mismatch'
  | 'algorithm-mismatch' // the signature hashes with another algorithm than the digest
  | 'signing-certificate-attribute-missing'
  | 'signing-certificate-mismatch'
  | 'signature-invalid'

export interface CmsVerdict {
  /** Empty if everything holds. */
  findings: CmsFinding[]
  signerCertificate: Certificate | undefined
  /** All certificates in the CMS that can be parsed, the signer's included. */
  certificates: Certificate[]
}

/** Checks a signature against the digest of its content, made with `signedData.signer.digestHash`. */
export function verifySignedData(signedData: SignedData, contentDigest: Buffer): CmsVerdict {
  const { signer } = signedData
  const certificates = parseThoseReadable(signedData.certificates)
  const signerCertificate = findSignerCertificate(signedData, certificates)
  const findings: CmsFinding[] = []
  if (signer.contentType !== signedData.contentType) findings.push('content-type-mismatch')
  if (!signer.messageDigest.equals(contentDigest)) findings.push('digest-mismatch')
  if (signer.scheme.hash !== signer.digestHash) findings.push('algorithm-mismatch')
  if (signer.signingCertificate === undefined) findings.push('signing-certificate-attribute-missing')
  findings.push(...judgeSigner(signedData, signerCertificate))
  return { findings, signerCertificate, certificates }
}

function judgeSigner({ signer }: SignedData, certificate: Certificate | undefined): CmsFinding[] {
  if (certificate === undefined) return ['signer-certificate-missing']
  const findings: CmsFinding[] = []
  const { signingCertificate, scheme, signature } = signer
  if (signingCertificate && !isNamedBy(signingCertificate, certificate)) findings.push('signing-certificate-mismatch')
  if (!isSignedBy({ scheme, signature, message: signer.signedAttributes }, certificate)) {
    findings.push('signature-invalid')
  }
  return findings
}

function isNamedBy({ hash, digest, issuerSerial }: SigningCertificate, certificate: Certificate): boolean {
  if (!createHash(hash).update(certificate.raw).digest().equals(digest)) return false
  if (issuerSerial === undefined) return true
  return isSameName(issuerSerial.issuer, certificate.issuer) && issuerSerial.serial.equals(certificate.serial)
}

/** Several certificates can answer to one reference (a re-issued one); the one whose hash is signed is meant. */
function findSignerCertificate({ signer }: SignedData, certificates: Certificate[]): Certificate | undefined {
  const { reference, signingCertificate } = signer
  const candidates = certificates.filter((certificate) =>
    'keyId' in reference
      ? certificate.subjectKeyIdentifier?.equals(reference.keyId)
      : certificate.serial.equals(reference.serial) && isSameName(certificate.issuer, reference.issuer),
  )
  const named = signingCertificate && candidates.find((candidate) => isNamedBy(signingCertificate, candidate))
  return named ?? candidates[0]
}

// The same few authorities' certificates travel in every signature and token.
const parsedCertificates = new Map<string, Certificate>()
const MAX_PARSED_CERTIFICATES = 200

/** Parses the certificates that are well formed and leaves out the others. */
export const parseThoseReadable = (certificates: Buffer[]) =>
  certificates.map(findReadable).filter((certificate) => certificate !== undefined)

function findReadable(der: Buffer): Certificate | undefined {
  const id = der.toString('latin1')
  const known = parsedCertificates.get(id)
  if (known) return known
  try {
    return remember(id, parseCertificate(Buffer.from(der)))
  } catch (error) {
    if (error instanceof PkiError) return undefined
    throw error
  }
}

function remember(id: string, certificate: Certificate): Certificate {
  const [oldest] = parsedCertificates.keys()
  if (oldest !== undefined && parsedCertificates.size >= MAX_PARSED_CERTIFICATES) parsedCertificates.delete(oldest)
  parsedCertificates.set(id, certificate)
  return certificate
}
