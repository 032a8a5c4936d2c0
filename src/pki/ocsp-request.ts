import type { Certificate } from './certificate.ts'
import { contextTag, explicit, octetString, sequence } from './der.ts'
import { readDer } from './der-reader.ts'
import { malformed } from './errors.ts'
import { readExtensions, type Extensions } from './extension-reader.ts'
import { extension } from './extension-writer.ts'
import { certificateId, encodeCertificateId, readCertificateId, type CertificateId } from './ocsp-id.ts'
import { OID } from './oids.ts'

export interface OcspRequest {
  ids: CertificateId[]
  nonce: Buffer | undefined
}

const MAX_REQUEST_BYTES = 16 * 1024
const MAX_IDS = 20
/** RFC 9654 2.1: a nonce has 1 to 128 bytes. */
const MAX_NONCE_BYTES = 128

/** Asks about one certificate (RFC 6960 4.1). */
export function buildOcspRequest(certificate: Certificate, issuer: Certificate, nonce?: Buffer): Buffer {
  const list = sequence(sequence(encodeCertificateId(certificateId(certificate, issuer))))
  const extensions = nonce === undefined ? [] : [explicit(2, sequence(nonceExtension(nonce)))]
  return sequence(sequence(list, ...extensions))
}

/** The nonce is an OCTET STRING inside the extension's own OCTET STRING (RFC 9654 2.1). */
export const nonceExtension = (nonce: Buffer) => extension(OID.ocspNonce, octetString(nonce))

/** The nonce among these extensions. */
export function findNonce(extensions: Extensions): Buffer | undefined {
  const found = extensions.get(OID.ocspNonce)
  if (found === undefined) return undefined
  const nonce = readDer(found.value).octets
  if (nonce.length === 0 || nonce.length > MAX_NONCE_BYTES) throw malformed('The nonce has a bad length.')
  return nonce
}

/** Reads a request; a signature on it is neither needed nor looked at. */
export function parseOcspRequest(der: Buffer): OcspRequest {
  const outer = readDer(der, { maxBytes: MAX_REQUEST_BYTES, maxElements: 1000 }).fields()
  const fields = outer.next().fields()
  outer.optional(contextTag(0))
  outer.end()
  fields.optional(contextTag(0))
  fields.optional(contextTag(1))
  const requests = fields.next().items()
  const extensionField = fields.optional(contextTag(2))
  fields.end()
  if (requests.length === 0 || requests.length > MAX_IDS)
    throw malformed(`A request asks about 1 to ${MAX_IDS} certificates.`)
  return {
    ids: requests.map((request) => readCertificateId(request.fields().next())),
    nonce: extensionField && findNonce(readExtensions(extensionField.only)),
  }
}
