import type { Platform } from '#platform/platform.ts'

export type KeptBytes = { sha256: string; sizeBytes: number }

/** All bytes of a stored document; they are checked against their hash on the way. */
export async function readBytes(
  { blobs }: Pick<Platform, 'blobs'>,
  { tenantId, sha256 }: { tenantId: string; sha256: Buffer },
): Promise<Buffer> {
  const { stream } = await blobs.openRead(tenantId, sha256.toString('hex'))
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
