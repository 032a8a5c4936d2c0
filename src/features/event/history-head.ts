// The signed head of a history: how many events there are and the hash of the last. Without it nobody could tell that
// the end of a history was cut off.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { uuidBytes } from '#platform/ids.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'

export type Head = { tenantId: string; requestId: string; sequence: number; hash: Buffer }
export type SignedHead = { sequence: number; hash: string; signature: string; keyId: string }
export type PublicKey = { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; use: 'sig'; alg: 'EdDSA' }

const SEED_BYTES = 32
/** RFC 8410 7: what stands before the 32 bytes of an Ed25519 private key in PKCS #8. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Keeps these signatures apart from any others that the key might ever make. */
const PURPOSE = 'countersign history head 1\n'

export function signHead(keyring: Keyring, head: Head): SignedHead {
  const { privateKey, publicKey } = headKeys(keyring)[0]!
  return {
    sequence: head.sequence,
    hash: head.hash.toString('hex'),
    signature: sign(null, headBytes(head), privateKey).toString('base64'),
    keyId: publicKey.kid,
  }
}

/** The keys that heads are and were signed with, the present one first. */
export function listHeadKeys(keyring: Keyring): PublicKey[] {
  return headKeys(keyring).map((key) => key.publicKey)
}

export function isHeadSignedBy(key: JsonWebKey, head: Head, signature: Buffer): boolean {
  return verify(null, headBytes(head), createPublicKey({ key, format: 'jwk' }), signature)
}

/** The name of a public key: RFC 7638, the hash of its required members in order. */
export function keyIdOf({ crv, kty, x }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
}

type HeadKey = { privateKey: KeyObject; publicKey: PublicKey }

/** Derived once: making a key object costs more than signing with it. */
const derived = new WeakMap<Keyring, HeadKey[]>()

function headKeys(keyring: Keyring): HeadKey[] {
  const known = derived.get(keyring)
  if (known) return known
  const keys = keyring.keysFor('history head', SEED_BYTES).map((seed) => {
    const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
    return { privateKey, publicKey: describeKey(privateKey) }
  })
  derived.set(keyring, keys)
  return keys
}

function describeKey(key: KeyObject): PublicKey {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  const named = { kty: 'OKP' as const, crv: 'Ed25519' as const, x: x! }
  return { ...named, kid: keyIdOf(named), use: 'sig', alg: 'EdDSA' }
}

function headBytes({ tenantId, requestId, sequence, hash }: Head): Buffer {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(sequence)
  return Buffer.concat([Buffer.from(PURPOSE), uuidBytes(tenantId), uuidBytes(requestId), number, hash])
}
