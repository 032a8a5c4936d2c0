import type { Platform } from '#platform/platform.ts'

export type KeptBytes = { sha256: string; sizeBytes: number }

/** All bytes of a stored document; they are checked against their hash on the way. */
export async function readBytes(
  { blobs }: Pick<Platform, 'blobs'>,
  { tenantId, sha256 }: { tenantId: string; sha256: Buffer },
): Promise<Buffer> {
  return blobs.read(tenantId, sha256.toString('hex'))
}
