// How OCSP names a certificate (RFC 6960 4.1.1, CertID): by hashes of its issuer's name and key, and its serial number.
import { createHash } from 'node:crypto'
import { hashIdentifier, readHashIdentifier, type HashName } from './algorithms.ts'
import type { Certificate } from './certificate.ts'
import { element, octetString, sequence, TAG } from './der.ts'
import type { DerNode } from './der-reader.ts'

export interface CertificateId {
  hash: HashName
  issuerNameHash: Buffer
  issuerKeyHash: Buffer
  serial: Buffer
}

/** Names a certificate. SHA-1 is what every reader knows (RFC 5019 2.1.1); it names here and protects nothing. */
export function certificateId(
  certificate: Pick<Certificate, 'serial'>,
  issuer: Pick<Certificate, 'subject' | 'keyBits'>,
  hash: HashName = 'sha1',
): CertificateId {
  return {
    hash,
    issuerNameHash: createHash(hash).update(issuer.subject).digest(),
    issuerKeyHash: createHash(hash).update(issuer.keyBits).digest(),
    serial: certificate.serial,
  }
}

/** True if the identifier means this certificate of this issuer, whichever hash it uses. */
export function isIdOf(id: CertificateId, certificate: Certificate, issuer: Certificate): boolean {
  const expected = certificateId(certificate, issuer, id.hash)
  return (
    id.serial.equals(expected.serial) &&
    id.issuerKeyHash.equals(expected.issuerKeyHash) &&
    id.issuerNameHash.equals(expected.issuerNameHash)
  )
}

export const encodeCertificateId = ({ hash, issuerNameHash, issuerKeyHash, serial }: CertificateId) =>
  sequence(hashIdentifier(hash), octetString(issuerNameHash), octetString(issuerKeyHash), element(TAG.integer, serial))

export function readCertificateId(node: DerNode): CertificateId {
  const fields = node.fields()
  const hash = readHashIdentifier(fields.next())
  const issuerNameHash = fields.next().octets
  const issuerKeyHash = fields.next().octets
  const serial = fields.next().integerBytes
  fields.end()
  return { hash, issuerNameHash, issuerKeyHash, serial }
}
