import { randomBytes, type KeyObject } from 'node:crypto'
import { signatureIdentifier } from './algorithms.ts'
import { parseCertificate, keyIdentifier, type Certificate } from './certificate.ts'
import { bitString, explicit, integer, sequence, time } from './der.ts'
import { readDer } from './der-reader.ts'
import { PkiError } from './errors.ts'
import { authorityKeyIdentifier, subjectKeyIdentifier } from './extension-writer.ts'
import { signWith, type RawSigner, type SignatureKey } from './raw-signer.ts'

/** Who signs a certificate: the authority's name and key, and the identifier of that key. */
export interface Issuer {
  name: Buffer
  keyId: Buffer
  key: SignatureKey
}

export interface CertificateRequest {
  subject: Buffer
  publicKey: KeyObject
  notBefore: Date
  notAfter: Date
  /** Besides the two key identifiers, which every certificate of ours carries. */
  extensions: Buffer[]
  /** Random unless given. */
  serial?: Buffer
}

/** Builds and signs a certificate; the result is DER. */
export async function issueCertificate(request: CertificateRequest, issuer: Issuer): Promise<Buffer> {
  if (request.notAfter <= request.notBefore)
    throw new PkiError('bad-argument', 'A certificate must end after it begins.')
  const spki = request.publicKey.export({ format: 'der', type: 'spki' })
  const algorithm = signatureIdentifier(issuer.key.algorithm)
  const identifiers = [subjectKeyIdentifier(keyIdFrom(spki)), authorityKeyIdentifier(issuer.keyId)]
  const body = sequence(
    explicit(0, integer(2)),
    integer(request.serial ?? newSerial()),
    algorithm,
    issuer.name,
    sequence(time(request.notBefore), time(request.notAfter)),
    request.subject,
    spki,
    explicit(3, sequence(...request.extensions, ...identifiers)),
  )
  return sequence(body, algorithm, bitString(await signWith(issuer.key, body)))
}

/** The issuer that an authority's own certificate and key make. */
export function issuerFrom(signer: RawSigner, certificate: Certificate = parseCertificate(signer.certificate)): Issuer {
  if (!certificate.basicConstraints?.isAuthority) {
    throw new PkiError('bad-argument', 'Only an authority can issue certificates.')
  }
  const keyId = certificate.subjectKeyIdentifier ?? keyIdentifier(certificate.keyBits)
  return { name: certificate.subject, keyId, key: signer }
}

/** The issuer that signs its own certificate. */
export const selfIssuer = (name: Buffer, publicKey: KeyObject, key: SignatureKey): Issuer => ({
  name,
  keyId: keyIdOf(publicKey),
  key,
})

/** The identifier of a public key, as certificates carry it. */
export const keyIdOf = (publicKey: KeyObject) => keyIdFrom(publicKey.export({ format: 'der', type: 'spki' }))

function keyIdFrom(spki: Buffer): Buffer {
  const fields = readDer(spki).fields()
  fields.next()
  return keyIdentifier(fields.next().bitStringBytes)
}

const SERIAL_BYTES = 16
/** The generator takes as long for one serial number as for hundreds, so they are drawn ahead. */
const RANDOM_AHEAD_BYTES = 256 * SERIAL_BYTES
let randomLeft = Buffer.alloc(0)

/** A random number of 128 bits; its first two are fixed, so that it is positive and always 16 bytes long. */
export function newSerial(): Buffer {
  if (randomLeft.length === 0) randomLeft = randomBytes(RANDOM_AHEAD_BYTES)
  const serial = Buffer.from(randomLeft.subarray(0, SERIAL_BYTES))
  randomLeft = randomLeft.subarray(SERIAL_BYTES)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  return serial
}
