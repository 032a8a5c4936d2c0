// The signed head of a history: how many events there are and the hash of the last. Without it nobody could tell that
// the end of a history was cut off.
import { uuidBytes } from '#platform/ids.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { historyKeys, type PublicKey } from './history-keys.ts'

export type Head = { tenantId: string; requestId: string; sequence: number; hash: Buffer }
export type SignedHead = { sequence: number; hash: string; signature: string; keyId: string }

/** Keeps these signatures apart from any others that the key makes. */
const PURPOSE = 'countersign history head 1\n'

/** Signatures under the same head are the same, and whoever follows a request asks for one again and again. */
const signatures = new WeakMap<Keyring, Map<string, string>>()
const MOST_KEPT = 1_000

export function signHead(keyring: Keyring, head: Head): SignedHead {
  return {
    sequence: head.sequence,
    hash: head.hash.toString('hex'),
    signature: signatureOf(keyring, headBytes(head)),
    keyId: historyKeys(keyring)[0]!.publicKey.kid,
  }
}

function signatureOf(keyring: Keyring, bytes: Buffer): string {
  const known = signatures.get(keyring) ?? new Map<string, string>()
  signatures.set(keyring, known)
  const name = bytes.toString('latin1')
  const signature = known.get(name) ?? historyKeys(keyring)[0]!.sign(bytes).toString('base64')
  if (known.size >= MOST_KEPT) known.clear()
  known.set(name, signature)
  return signature
}

/** The keys that heads are and were signed with, the present one first. */
export function listHeadKeys(keyring: Keyring): PublicKey[] {
  return historyKeys(keyring).map((key) => key.publicKey)
}

function headBytes({ tenantId, requestId, sequence, hash }: Head): Buffer {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(sequence)
  return Buffer.concat([Buffer.from(PURPOSE), uuidBytes(tenantId), uuidBytes(requestId), number, hash])
}
