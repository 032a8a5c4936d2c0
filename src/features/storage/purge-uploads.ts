// Uploads that nothing used within their week. The row goes first: a row whose bytes are gone would be a broken promise,
// bytes without a row only take up room.
import type { Platform } from '#platform/platform.ts'
import { deletePurgedDocuments, holdContentRemoval, isContentKept } from './storage-statements.ts'

const BATCH = 200
const DAY_MS = 24 * 60 * 60 * 1000

/** Deletes a tenant's forgotten uploads, with their bytes where no other document has the same. Answers with how many. */
export async function purgeUploads(
  platform: Pick<Platform, 'db' | 'blobs'>,
  { tenantId, now }: { tenantId: string; now: Date },
): Promise<number> {
  let purged = 0
  for (;;) {
    const gone = await platform.db.transaction(tenantId, (tx) =>
      deletePurgedDocuments.many(tx, { tenantId, now, most: BATCH }),
    )
    purged += gone.length
    for (const sha256 of new Set(gone.map((row) => row.sha256.toString('hex')))) {
      await removeUnusedContent(platform, { tenantId, sha256, now })
    }
    if (gone.length < BATCH) return purged
  }
}

/**
 * The lock is held while the blob store works, which no transaction otherwise is: whoever stores the same content again
 * in this moment waits for it and looks whether the bytes are still there. Bytes stored within the last day stay, because
 * the row that needs them may be about to be written.
 */
async function removeUnusedContent(
  { db, blobs }: Pick<Platform, 'db' | 'blobs'>,
  { tenantId, sha256, now }: { tenantId: string; sha256: string; now: Date },
): Promise<void> {
  const content = { tenantId, sha256: Buffer.from(sha256, 'hex') }
  await db.transaction(tenantId, async (tx) => {
    await holdContentRemoval.run(tx, content)
    if ((await isContentKept.maybeOne(tx, content)) !== undefined) return
    await blobs.remove(tenantId, sha256, { onlyIfOlderThan: new Date(now.getTime() - DAY_MS) })
  })
}
