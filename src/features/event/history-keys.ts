// The keys that vouch for histories: for the head of each request's chain, and for the checkpoints of the log. Derived
// from the secret key, so that they need no place of their own.
import { createHash, createPrivateKey, createPublicKey, sign, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { Keyring } from '#platform/secrets/keyring.ts'

export type PublicKey = { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; use: 'sig'; alg: 'EdDSA' }
export type HistoryKey = { publicKey: PublicKey; sign(bytes: Buffer): Buffer }

const SEED_BYTES = 32
/** RFC 8410 7: what stands before the 32 bytes of an Ed25519 private key in PKCS #8. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Derived once: making a key object costs more than signing with it. */
const derived = new WeakMap<Keyring, HistoryKey[]>()

/** The keys that histories are and were signed with, the present one first. */
export function historyKeys(keyring: Keyring): HistoryKey[] {
  const known = derived.get(keyring)
  if (known) return known
  const keys = keyring.keysFor('history head', SEED_BYTES).map((seed) => {
    const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
    return { publicKey: describeKey(privateKey), sign: (bytes: Buffer) => sign(null, bytes, privateKey) }
  })
  derived.set(keyring, keys)
  return keys
}

/** The name of a public key: RFC 7638, the hash of its required members in order. */
function keyIdOf({ crv, kty, x }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
}

function describeKey(key: KeyObject): PublicKey {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  const named = { kty: 'OKP' as const, crv: 'Ed25519' as const, x: x! }
  return { ...named, kid: keyIdOf(named), use: 'sig', alg: 'EdDSA' }
}
