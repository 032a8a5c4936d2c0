// Uploads that nothing used within their week, and documents of requests that are gone. The row goes first: a row whose
// bytes are gone would be a broken promise, bytes without a row only take up room.
import type { Tx } from '#platform/db/database.ts'
import { isReferenced } from '#platform/db/violations.ts'
import type { Platform } from '#platform/platform.ts'
import { removeUnusedContent } from './purge-content.ts'
import {
  deletePurgedDocument,
  deletePurgedDocuments,
  listPurged,
  markDocumentsUnused,
  markDocumentUsed,
} from './storage-statements.ts'

const BATCH = 200

type Stores = Pick<Platform, 'db' | 'blobs'>
type Purge = { tenantId: string; now: Date }

/** Deletes a tenant's forgotten documents, with their bytes where no other document has the same. Answers with how many. */
export async function purgeUploads(stores: Stores, { tenantId, now }: Purge): Promise<number> {
  let purged = 0
  for (;;) {
    const gone = await deleteBatch(stores, { tenantId, now })
    purged += gone.length
    for (const sha256 of new Set(gone)) await removeUnusedContent(stores, { tenantId, sha256, now })
    if (gone.length < BATCH) return purged
  }
}

/** Says that a request does not need these any more; something else may, and then they stay. Answers with their hashes. */
export async function releaseDocuments(
  tx: Tx,
  of: { tenantId: string; documentIds: string[]; now: Date },
): Promise<string[]> {
  return (await markDocumentsUnused.many(tx, of)).map(({ sha256 }) => sha256.toString('hex'))
}

async function deleteBatch(stores: Stores, { tenantId, now }: Purge): Promise<string[]> {
  try {
    const rows = await stores.db.transaction(tenantId, (tx) =>
      deletePurgedDocuments.many(tx, { tenantId, now, most: BATCH }),
    )
    return rows.map(({ sha256 }) => sha256.toString('hex'))
  } catch (error) {
    if (!isReferenced(error)) throw error
    return deleteOneByOne(stores, { tenantId, now })
  }
}

/** One of the batch is in use by something else: it is found out which. */
async function deleteOneByOne({ db }: Stores, { tenantId, now }: Purge): Promise<string[]> {
  const ids = await db.transaction(tenantId, (tx) => listPurged.many(tx, { tenantId, now, most: BATCH }))
  const gone: string[] = []
  for (const { id: documentId } of ids) {
    try {
      const row = await db.transaction(tenantId, (tx) => deletePurgedDocument.maybeOne(tx, { tenantId, documentId }))
      if (row !== undefined) gone.push(row.sha256.toString('hex'))
    } catch (error) {
      if (!isReferenced(error)) throw error
      await db.transaction(tenantId, (tx) => markDocumentUsed.run(tx, { tenantId, documentId }))
    }
  }
  return gone
}
