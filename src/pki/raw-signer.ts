// Whoever holds a private key. Hardware tokens and remote services sign a digest; node:crypto can only sign the message
// itself with ECDSA and RSA-PSS (`sign(null, digest)` hashes the digest again). So a key offers one of the two, and
// everybody else calls signWith().
import { constants, createHash, createPublicKey, generateKeyPair, sign, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { requireSigningStrength } from './algorithm-policy.ts'
import { hashOf, type SignatureAlgorithm } from './algorithms.ts'
import { parseCertificate, publicKeyOf } from './certificate.ts'
import { PkiError } from './errors.ts'

export interface DigestKey {
  algorithm: SignatureAlgorithm
  /** Signs a digest of the algorithm's hash; ECDSA answers with DER. */
  signDigest(digest: Buffer): Promise<Buffer>
}

export interface MessageKey {
  algorithm: SignatureAlgorithm
  /** Hashes and signs the message; ECDSA answers with DER. */
  signMessage(message: Buffer): Promise<Buffer>
}

export type SignatureKey = DigestKey | MessageKey

/** A certificate and the chain above it (issuer first, as far as it should travel with signatures), both DER. */
export interface SignerIdentity {
  certificate: Buffer
  chain: Buffer[]
  algorithm: SignatureAlgorithm
}

export type RawSigner = SignerIdentity & SignatureKey

/** Signs a message with whichever way the key offers. */
export function signWith(key: SignatureKey, message: Buffer): Promise<Buffer> {
  if ('signMessage' in key) return key.signMessage(message)
  return key.signDigest(createHash(hashOf(key.algorithm)).update(message).digest())
}

const signInThreadPool = promisify(sign)

/** A key held in this process. RSA works in the thread pool; ECDSA is quicker than the way there and back. */
export function memoryKey(privateKey: KeyObject, algorithm: SignatureAlgorithm): MessageKey {
  requireSigningStrength(privateKey, algorithm)
  const hash = hashOf(algorithm)
  if (algorithm === 'ES256') {
    // The bare key: an options object would make node:crypto export and import it again, which costs as much as signing.
    return { algorithm, signMessage: async (message) => sign(hash, message, privateKey) }
  }
  const key = keyWithPadding(privateKey, algorithm)
  return { algorithm, signMessage: (message) => signInThreadPool(hash, message, key) }
}

function keyWithPadding(key: KeyObject, algorithm: SignatureAlgorithm) {
  if (algorithm === 'PS256') return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  if (algorithm === 'RS256') return { key, padding: constants.RSA_PKCS1_PADDING }
  return key
}

/** A signer whose key is in memory; refuses a key that does not belong to the certificate. */
export function memorySigner({ privateKey, ...identity }: SignerIdentity & { privateKey: KeyObject }): RawSigner {
  requireKeyPair(identity.certificate, privateKey)
  return { ...identity, ...memoryKey(privateKey, identity.algorithm) }
}

/** Passes if the private key belongs to the certificate. */
export function requireKeyPair(certificate: Buffer, privateKey: KeyObject): void {
  if (publicKeyOf(parseCertificate(certificate)).equals(createPublicKey(privateKey))) return
  throw new PkiError('key-mismatch', 'The private key does not belong to the certificate.')
}

const newKeyPair = promisify(generateKeyPair)

export interface KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

/** Makes a new key pair that is strong enough for the algorithm. */
export function generateKey(algorithm: SignatureAlgorithm): Promise<KeyPair> {
  if (algorithm === 'ES256') return newKeyPair('ec', { namedCurve: 'P-256' })
  if (algorithm === 'ES384') return newKeyPair('ec', { namedCurve: 'P-384' })
  return newKeyPair('rsa', { modulusLength: 3072 })
}
