// The second half of signing: the signature value has arrived, perhaps hours later and in another process.
import { hash } from 'node:crypto'
import { schemeOf, verifySignature, type SignatureAlgorithm } from '#pki/algorithms.ts'
import { assembleCms } from '#pki/cms.ts'
import type { PreparedSignature } from './prepare-signature.ts'
import { closeRevision, type ByteRange } from './signature-dictionary.ts'
import { signerParts } from './signer-parts.ts'

/** The hash of what signature timestamps are over. */
export const TIMESTAMP_HASH = 'sha256'

/** The key or the timestamp authority answered with something that does not belong to what was prepared. */
export class SignatureMismatch extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SignatureMismatch'
  }
}

/** The bytes to append to the document. Nothing is embedded that the signer's certificate does not confirm. */
export function completeSignature(prepared: PreparedSignature, signature: Buffer, timestampToken?: Buffer): Buffer {
  requireSignatureBy(prepared, signature)
  return embedSignature(prepared, signature, timestampToken)
}

/** The same for a value that comes straight from a key known to belong to the certificate. */
export function embedSignature(prepared: PreparedSignature, signature: Buffer, timestampToken?: Buffer): Buffer {
  const { identity, signedAttributes } = prepared
  // RFC 3161, appendix A: the token is over the value of the signature.
  if (timestampToken !== undefined) requireTimestampOver(timestampToken, hash(TIMESTAMP_HASH, signature, 'buffer'))
  const parts = { signedAttributes, signature, ...(timestampToken && { timestampToken }) }
  return closeRevision(prepared, assembleCms(signerParts(identity).template, parts))
}

function requireSignatureBy({ identity, signedAttributes }: PreparedSignature, signature: Buffer): void {
  const { publicKey } = signerParts(identity)
  const scheme = schemeOf(identity.algorithm)
  if (verifySignature({ scheme, publicKey, message: signedAttributes, signature })) return
  throw new SignatureMismatch('The signature value was not made with the key of the certificate.')
}

/**
 * The client has checked the token in full before handing it over. What is guarded against here is a mix-up of two
 * documents, and a token that does not even contain the digest belongs to another one.
 */
export function requireTimestampOver(token: Buffer, digest: Buffer): void {
  if (!token.includes(digest)) throw new SignatureMismatch('The timestamp belongs to something else.')
}

/** A prepared signature as JSON keeps it: every buffer as Base64. */
export interface StoredSignature {
  readonly documentBytes: number
  readonly appended: string
  readonly byteRange: readonly number[]
  readonly contentsAt: number
  readonly reservedBytes: number
  readonly hash: PreparedSignature['hash']
  readonly digest: string
  readonly signedAttributes: string
  readonly certificate: string
  readonly chain: readonly string[]
  readonly algorithm: SignatureAlgorithm
}

/** Turns a prepared signature into plain JSON. */
export function storePrepared({ identity, ...prepared }: PreparedSignature): StoredSignature {
  return {
    documentBytes: prepared.documentBytes,
    appended: prepared.appended.toString('base64'),
    byteRange: prepared.byteRange,
    contentsAt: prepared.contentsAt,
    reservedBytes: prepared.reservedBytes,
    hash: prepared.hash,
    digest: prepared.digest.toString('base64'),
    signedAttributes: prepared.signedAttributes.toString('base64'),
    certificate: identity.certificate.toString('base64'),
    chain: identity.chain.map((certificate) => certificate.toString('base64')),
    algorithm: identity.algorithm,
  }
}

const decode = (text: string) => Buffer.from(text, 'base64')

/** Brings a prepared signature back from JSON of our own making. */
export function restorePrepared({ certificate, chain, algorithm, ...stored }: StoredSignature): PreparedSignature {
  return {
    ...stored,
    byteRange: stored.byteRange as unknown as ByteRange,
    appended: decode(stored.appended),
    digest: decode(stored.digest),
    signedAttributes: decode(stored.signedAttributes),
    identity: { certificate: decode(certificate), chain: chain.map(decode), algorithm },
  }
}
