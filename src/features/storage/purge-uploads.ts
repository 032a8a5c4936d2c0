// Uploads that nothing used within their week. The row goes first: a row whose bytes are gone would be a broken promise,
// bytes without a row only take up room.
import type { Platform } from '#platform/platform.ts'
import { removeUnusedContent } from './purge-content.ts'
import { deletePurgedDocuments } from './storage-statements.ts'

const BATCH = 200

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
