import type { Tx } from '#platform/db/database.ts'
import type { StagedBlob, WholeRead } from '#platform/blobs/blob-store.ts'
import type { Platform } from '#platform/platform.ts'
import { stageBytes } from '#platform/blobs/staging.ts'
import { commitContent } from './commit-content.ts'
import { findDocument, listContents } from './storage-statements.ts'

export type LoadedDocument = { bytes: Buffer; sha256: string; fileName: string }

/** A stored document with all of its bytes, which are checked against their hash on the way. */
export async function loadDocument(
  { db, blobs }: Pick<Platform, 'db' | 'blobs'>,
  { tenantId, documentId }: { tenantId: string; documentId: string },
): Promise<LoadedDocument> {
  const find = (tx: Tx) => findDocument.one(tx, { tenantId, documentId })
  const { sha256, fileName } = await db.transaction(tenantId, find, { isReadOnly: true })
  const bytes = await loadContent({ blobs }, { tenantId, sha256 })
  return { bytes, sha256: sha256.toString('hex'), fileName }
}

export type StoredContent = { sha256: Buffer; sizeBytes: number }

/** What the contents of stored documents are found by, by the document's id. */
export async function findContents(
  tx: Tx,
  { tenantId, documentIds }: { tenantId: string; documentIds: readonly string[] },
): Promise<ReadonlyMap<string, StoredContent>> {
  const found = await listContents.many(tx, { tenantId, documentIds: [...documentIds] })
  return new Map(found.map(({ id, ...content }) => [id, content]))
}

/** All bytes of a content, which are checked against their hash on the way. */
export async function loadContent(
  { blobs }: Pick<Platform, 'blobs'>,
  { tenantId, sha256, ...known }: { tenantId: string; sha256: Buffer } & WholeRead,
): Promise<Buffer> {
  return blobs.read(tenantId, sha256.toString('hex'), known)
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

/**
 * Makes a staged file lasting that holds a signature made a moment ago. Nobody can have stored the same before, so nothing
 * has to be asked about it.
 */
export async function keepSigned(
  { blobs }: Pick<Platform, 'blobs'>,
  { tenantId, staged }: { tenantId: string; staged: StagedBlob },
): Promise<{ sha256: string; sizeBytes: number }> {
  await blobs.commit(tenantId, staged)
  return { sha256: staged.sha256, sizeBytes: staged.sizeBytes }
}
