// The hash chain of a request's events. Pure: the service appends with it, and anyone can verify with it.
//
// hash = SHA-256( 0x01 | previous hash, 32 zero bytes at first | sequence, 4 bytes | tenant, 16 bytes | request, 16 bytes
//               | length of the type, 2 bytes | type | milliseconds since 1970, 8 bytes | SHA-256( salt | body ) )
// Numbers are big endian. The body enters only through its salted hash, so it can be erased and the chain still holds.
import { createHash } from 'node:crypto'
import { uuidBytes } from '#platform/ids.ts'

const VERSION = 1
export const FIRST_PREVIOUS_HASH = Buffer.alloc(32)
export const SALT_BYTES = 16

export type ChainLink = {
  previousHash: Buffer
  sequence: number
  tenantId: string
  requestId: string
  type: string
  at: Date
  bodyHash: Buffer
}

export function hashBody(salt: Buffer, body: Buffer): Buffer {
  return createHash('sha256').update(salt).update(body).digest()
}

export function hashLink({ previousHash, sequence, tenantId, requestId, type, at, bodyHash }: ChainLink): Buffer {
  const typeBytes = Buffer.from(type)
  const numbers = Buffer.alloc(4 + 2 + 8)
  numbers.writeUInt32BE(sequence, 0)
  numbers.writeUInt16BE(typeBytes.length, 4)
  numbers.writeBigInt64BE(BigInt(at.getTime()), 6)
  return createHash('sha256')
    .update(Buffer.of(VERSION))
    .update(previousHash)
    .update(numbers.subarray(0, 4))
    .update(uuidBytes(tenantId))
    .update(uuidBytes(requestId))
    .update(numbers.subarray(4, 6))
    .update(typeBytes)
    .update(numbers.subarray(6))
    .update(bodyHash)
    .digest()
}
