// The digests of all signatures of a file in one pass: a prefix that many signatures cover is hashed once.
import { createHash, type Hash } from 'node:crypto'
import type { HashName } from '#pki/algorithms.ts'

export interface SignedRange {
  readonly before: number
  readonly after: number
  readonly end: number
}

export interface DigestRequest {
  readonly range: SignedRange
  readonly hash: HashName
}

/** The digest over each range, by request. */
export function digestAll(bytes: Buffer, requests: readonly DigestRequest[]): Map<DigestRequest, Buffer> {
  const running = new Map<HashName, { hash: Hash; at: number }>()
  const digests = new Map<DigestRequest, Buffer>()
  for (const request of [...requests].sort((one, other) => one.range.before - other.range.before)) {
    const { before, after, end } = request.range
    const prefix = running.get(request.hash) ?? { hash: createHash(request.hash), at: 0 }
    running.set(request.hash, prefix)
    prefix.hash.update(bytes.subarray(prefix.at, before))
    prefix.at = before
    digests.set(request, prefix.hash.copy().update(bytes.subarray(after, end)).digest())
  }
  return digests
}
