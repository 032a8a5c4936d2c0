// Ids are UUID version 7, made here and never by the database, so that every PostgreSQL from 15 on will do. Those of one
// process rise strictly, also within a millisecond: rows that were written one after the other sort that way.
import { randomFillSync } from 'node:crypto'

export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const ID_BYTES = 16
const POOL_IDS = 256
const COUNTER_BITS = 12
/** A counter starts in the lower half, so that a busy millisecond has room to count. */
const START_MASK = 0x7ff

const pool = Buffer.alloc(ID_BYTES * POOL_IDS)
let used = POOL_IDS
let lastMs = 0
let counter = 0

/** A new id, larger than every one that this process has made before (RFC 9562 6.2, method 1). */
export function newId(): string {
  if (used === POOL_IDS) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = pool.subarray(used * ID_BYTES, ++used * ID_BYTES)
  tick(bytes.readUInt16BE(6) & START_MASK)
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function tick(start: number): void {
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    counter = start
  } else if (counter + 1 < 1 << COUNTER_BITS) {
    counter++
  } else {
    // The millisecond is full, or the clock was set back: borrow from the next.
    lastMs++
    counter = start
  }
}

/** Not larger than any id that was made at this moment or later: what is smaller is older. */
export function lowestIdAt(moment: Date): string {
  const ms = moment.getTime().toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** The 16 bytes of a UUID. */
export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}
