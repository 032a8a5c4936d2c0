import { invariantBroken } from '#platform/errors.ts'
import { isUuid } from '#platform/ids.ts'

const SHA256 = /^[0-9a-f]{64}$/

/**
 * Where a tenant's blob lies: `<tenant>/ab/<sha256>`. Refuses anything else, so a key never leaves its tenant.
 * One level of 256 folders: a million documents are some thousands a folder, and writers share their folders' fsyncs.
 */
export function blobKey(tenantId: string, sha256: string): string {
  if (!SHA256.test(sha256)) throw invariantBroken('a blob is named by its SHA-256 in lower-case hex')
  return `${tenantPrefix(tenantId)}/${sha256.slice(0, 2)}/${sha256}`
}

/** The folder of one tenant. */
export function tenantPrefix(tenantId: string): string {
  if (!isUuid(tenantId)) throw invariantBroken('a blob belongs to a tenant, named by its UUID')
  return tenantId.toLowerCase()
}

export function isSha256(name: string): boolean {
  return SHA256.test(name)
}
