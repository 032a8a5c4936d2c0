// X.509 certificates (RFC 5280 4), parsed strictly into plain values.
import { createHash, type KeyObject } from 'node:crypto'
import { readPublicKey, readSignatureIdentifier, verifySignature, type SignatureScheme } from './algorithms.ts'
import { contextTag, TAG } from './der.ts'
import { readDer, type DerNode } from './der-reader.ts'
import { malformed, PkiError } from './errors.ts'
import { readExtensions, readKnownExtensions, type Extensions, type KnownExtensions } from './extension-reader.ts'
import { isSameName } from './names.ts'

export interface Certificate extends KnownExtensions {
  raw: Buffer
  /** The part that the issuer signed. */
  signedPart: Buffer
  serial: Buffer
  issuer: Buffer
  subject: Buffer
  notBefore: Date
  notAfter: Date
  /** SubjectPublicKeyInfo, DER. */
  spki: Buffer
  /** The key bits alone: what OCSP and key identifiers hash. */
  keyBits: Buffer
  signatureScheme: SignatureScheme
  signature: Buffer
  extensions: Extensions
}

const MAX_CERTIFICATE_BYTES = 64 * 1024
const MAX_SERIAL_BYTES = 21

/** Parses exactly one DER certificate. */
export function parseCertificate(der: Buffer): Certificate {
  const fields = readDer(der, { maxBytes: MAX_CERTIFICATE_BYTES, maxElements: 4000 }).fields()
  const body = fields.next(TAG.sequence)
  const outerAlgorithm = fields.next()
  const signature = fields.next().bitStringBytes
  fields.end()
  const { algorithm: innerAlgorithm, ...parsed } = readBody(body)
  // RFC 5280 4.1.1.2: an algorithm outside the signed part must not differ from the one inside.
  if (!outerAlgorithm.raw.equals(innerAlgorithm.raw)) throw malformed('The certificate names two different algorithms.')
  return {
    raw: der,
    signedPart: body.raw,
    ...parsed,
    signatureScheme: readSignatureIdentifier(outerAlgorithm),
    signature,
    ...readKnownExtensions(parsed.extensions),
  }
}

function readBody(body: DerNode) {
  const fields = body.fields()
  const version = fields.optional(contextTag(0))?.only.smallInteger() ?? 0
  const serial = fields.next().integerBytes
  const algorithm = fields.next()
  const issuer = fields.next(TAG.sequence).raw
  const validity = readValidity(fields.next())
  const subject = fields.next(TAG.sequence).raw
  const publicKey = readKeyInfo(fields.next())
  fields.optional(contextTag(1, 'primitive'))
  fields.optional(contextTag(2, 'primitive'))
  const extensionField = fields.optional(contextTag(3))
  fields.end()
  if (serial.length > MAX_SERIAL_BYTES) throw malformed('The serial number is too long.')
  if (extensionField && version !== 2) throw malformed('Only version 3 certificates have extensions.')
  const extensions: Extensions = extensionField ? readExtensions(extensionField.only) : new Map()
  return { algorithm, serial, issuer, ...validity, subject, ...publicKey, extensions }
}

function readValidity(node: DerNode) {
  const fields = node.fields()
  const notBefore = fields.next().time()
  const notAfter = fields.next().time()
  fields.end()
  return { notBefore, notAfter }
}

function readKeyInfo(node: DerNode) {
  const fields = node.fields()
  fields.next(TAG.sequence)
  const keyBits = fields.next().bitStringBytes
  fields.end()
  return { spki: node.raw, keyBits }
}

const publicKeys = new WeakMap<Certificate, KeyObject>()

/** The certificate's public key; unsupported kinds of keys are refused. */
export function publicKeyOf(certificate: Certificate): KeyObject {
  const known = publicKeys.get(certificate)
  if (known) return known
  const key = readPublicKey(certificate.spki)
  publicKeys.set(certificate, key)
  return key
}

/** True if the issuer's name is on the certificate and the issuer's key signed it. */
export function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  if (!isSameName(certificate.issuer, issuer.subject)) return false
  return isSignedBy(
    { scheme: certificate.signatureScheme, message: certificate.signedPart, signature: certificate.signature },
    issuer,
  )
}

/** True if the certificate's key made this signature; keys that we cannot use sign nothing. */
export function isSignedBy(
  signed: { scheme: SignatureScheme; message: Buffer; signature: Buffer },
  signer: Certificate,
): boolean {
  try {
    return verifySignature({ ...signed, publicKey: publicKeyOf(signer) })
  } catch (error) {
    if (error instanceof PkiError) return false
    throw error
  }
}

/** A subject that issued itself by name: a root, or a renewed authority. */
export const isSelfIssued = (certificate: Certificate) => isSameName(certificate.issuer, certificate.subject)

/** True within the validity period, both ends included (RFC 5280 4.1.2.5). */
export const isValidAt = ({ notBefore, notAfter }: Certificate, at: Date) => at >= notBefore && at <= notAfter

/** Two parsed certificates are the same if their bytes are. */
export const isSameCertificate = (one: Certificate, other: Certificate) => one.raw.equals(other.raw)

/** The key identifier of RFC 5280 4.2.1.2 (1). It names a key and protects nothing, so SHA-1 does no harm. */
export const keyIdentifier = (keyBits: Buffer) => createHash('sha1').update(keyBits).digest()
