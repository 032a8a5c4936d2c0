// Documents between the blob store and the engine.
import { commitContent } from '#features/storage/index.ts'
import { stageBytes } from '#platform/blobs/staging.ts'
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

/** Makes bytes lasting; a row may point at them once this has resolved. */
export async function keepBytes(
  platform: Pick<Platform, 'db' | 'blobs'>,
  { tenantId, bytes }: { tenantId: string; bytes: Buffer },
): Promise<KeptBytes> {
  const staged = await stageBytes(await platform.blobs.begin(), bytes)
  try {
    const { sha256, sizeBytes } = await commitContent(platform, { tenantId, staged })
    return { sha256, sizeBytes }
  } finally {
    await staged.discard()
  }
}
