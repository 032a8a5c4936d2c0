// Bytes that no document has: of calls that were refused after their bytes were stored, or left by a purge that was cut
// off between the row and the bytes. Every lasting blob belongs to a row of stored_document, or it is one of these.
import type { Platform } from '#platform/platform.ts'
import { holdContentRemoval, isContentKept, listKeptContent } from './storage-statements.ts'

const BATCH = 500
const DAY_MS = 24 * 60 * 60 * 1000

type Stores = Pick<Platform, 'db' | 'blobs'>

/** Removes a tenant's bytes that belong to no document and were stored more than a day ago. Answers with how many. */
export async function purgeOrphanedContent(
  stores: Stores,
  { tenantId, now }: { tenantId: string; now: Date },
): Promise<number> {
  let removed = 0
  let batch: string[] = []
  const flush = async () => {
    for (const sha256 of await listOrphans(stores, tenantId, batch)) {
      if (await removeUnusedContent(stores, { tenantId, sha256, now })) removed += 1
    }
    batch = []
  }
  for await (const { sha256, modifiedAt } of stores.blobs.list(tenantId)) {
    if (modifiedAt < dayBefore(now)) batch.push(sha256)
    if (batch.length === BATCH) await flush()
  }
  await flush()
  return removed
}

async function listOrphans({ db }: Stores, tenantId: string, hashes: string[]): Promise<string[]> {
  if (hashes.length === 0) return []
  const given = hashes.map((sha256) => Buffer.from(sha256, 'hex'))
  const rows = await db.transaction(tenantId, (tx) => listKeptContent.many(tx, { tenantId, hashes: given }))
  const kept = new Set(rows.map((row) => row.sha256.toString('hex')))
  return hashes.filter((sha256) => !kept.has(sha256))
}

/**
 * Removes bytes unless a document has them, and says whether it did. The lock is held while the blob store works, which
 * no transaction otherwise is: whoever stores the same content again in this moment waits for it and looks whether the
 * bytes are still there. Bytes stored within the last day stay, because the row that needs them may be about to be written.
 */
export async function removeUnusedContent(
  { db, blobs }: Stores,
  { tenantId, sha256, now }: { tenantId: string; sha256: string; now: Date },
): Promise<boolean> {
  const content = { tenantId, sha256: Buffer.from(sha256, 'hex') }
  return db.transaction(tenantId, async (tx) => {
    await holdContentRemoval.run(tx, content)
    if ((await isContentKept.maybeOne(tx, content)) !== undefined) return false
    return blobs.remove(tenantId, sha256, {
      onlyIfOlderThan: dayBefore(now),
      // Having it, the transaction gets it again at once; one that the server has ended meanwhile fails. And its silence is
      // counted anew from here on.
      requireLock: () => holdContentRemoval.run(tx, content),
    })
  })
}

function dayBefore(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}
