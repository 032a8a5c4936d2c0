import { uuidBytes } from '#platform/ids.ts'

export const BUCKETS = 64

/** Which of the buckets a tenant's jobs and events lie in. FNV-1a: stable for ever, since rows carry the result. */
export function bucketOf(tenantId: string): number {
  let hash = 0x811c9dc5
  for (const byte of uuidBytes(tenantId)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash % BUCKETS
}
