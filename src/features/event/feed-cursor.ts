// Where a reader of the feed stands: a position in one tenant's feed, signed, so that nobody can make one up or use it
// elsewhere. It never ends by itself, and one that was made under the previous secret key still counts.
import { createHmac } from 'node:crypto'
import { isSameSecret, type Keyring } from '#platform/secrets/keyring.ts'
import { badFeedCursor } from './errors.ts'

const VERSION = 1
const POSITION_BYTES = 8
const MAC_BYTES = 16
const CURSOR_BYTES = 1 + POSITION_BYTES + MAC_BYTES

export type FeedPlace = { tenantId: string; position: number }

export function makeFeedCursor(keyring: Keyring, { tenantId, position }: FeedPlace): string {
  const head = Buffer.alloc(1 + POSITION_BYTES)
  head.writeUInt8(VERSION)
  head.writeBigUInt64BE(BigInt(position), 1)
  return Buffer.concat([head, sign(macKeys(keyring)[0]!, tenantId, head)]).toString('base64url')
}

/** The position behind a cursor; throws where it was not made for this tenant's feed. */
export function readFeedCursor(keyring: Keyring, tenantId: string, cursor: string): number {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length !== CURSOR_BYTES || bytes[0] !== VERSION) throw badFeedCursor()
  const head = bytes.subarray(0, 1 + POSITION_BYTES)
  const mac = bytes.subarray(1 + POSITION_BYTES)
  if (!macKeys(keyring).some((key) => isSameSecret(mac, sign(key, tenantId, head)))) throw badFeedCursor()
  return Number(head.readBigUInt64BE(1))
}

function sign(key: Buffer, tenantId: string, head: Buffer): Buffer {
  return createHmac('sha256', key).update(tenantId).update(head).digest().subarray(0, MAC_BYTES)
}

const known = new WeakMap<Keyring, Buffer[]>()

/** Derived once for each keyring: a stream makes a cursor for every event. */
function macKeys(keyring: Keyring): Buffer[] {
  const keys = known.get(keyring) ?? keyring.keysFor('mac feed cursor', 32)
  known.set(keyring, keys)
  return keys
}
