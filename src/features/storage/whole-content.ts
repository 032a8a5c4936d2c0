import type { Platform } from '#platform/platform.ts'
import { stageBytes } from '#platform/blobs/staging.ts'
import { commitContent } from './commit-content.ts'
import { findDocument } from './storage-statements.ts'

export type LoadedDocument = { bytes: Buffer; sha256: string; fileName: string }

/** A stored document with all of its bytes, which are checked against their hash on the way. */
export async function loadDocument(
  { db, blobs }: Pick<Platform, 'db' | 'blobs'>,
  { tenantId, documentId }: { tenantId: string; documentId: string },
): Promise<LoadedDocument> {
  const found = await db.transaction(tenantId, (tx) => findDocument.one(tx, { tenantId, documentId }), {
    isReadOnly: true,
  })
  const sha256 = found.sha256.toString('hex')
  const { stream } = await blobs.openRead(tenantId, sha256)
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return { bytes: Buffer.concat(chunks), sha256, fileName: found.fileName }
}

/** Makes bytes lasting; a row may point at them once this has resolved. */
export async function keepContent(
  platform: Pick<Platform, 'db' | 'blobs'>,
  { tenantId, bytes }: { tenantId: string; bytes: Buffer },
): Promise<{ sha256: string; sizeBytes: number }> {
  const staged = await stageBytes(await platform.blobs.begin(), bytes)
  try {
    const { sha256, sizeBytes } = await commitContent(platform, { tenantId, staged })
    return { sha256, sizeBytes }
  } finally {
    await staged.discard()
  }
}
