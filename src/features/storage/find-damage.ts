// Whether a stored content is still what was stored. Nothing is said against one because of a store that is away, a read
// that failed once, or a purge that came in between.
import { BLOB_CORRUPT_CODE, BLOB_MISSING_CODE } from '#platform/blobs/errors.ts'
import { drain } from '#platform/blobs/verified-read.ts'
import { AppError } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import type { PROBLEMS } from './check-statements.ts'
import { awaitContentRemoval, isContentKept } from './storage-statements.ts'

type Stores = Pick<Platform, 'db' | 'blobs'>
type Content = { tenantId: string; sha256: Buffer; sizeBytes: number }

export type Problem = (typeof PROBLEMS)[number]
export type Damage = { problem: Problem; /** One of the documents that have this content. */ documentId: string }

/** Reads all of a content; undefined where it is whole, or needed by nobody any more. Throws where the store is away. */
export async function findDamage(stores: Stores, content: Content): Promise<Damage | undefined> {
  if ((await tryReading(stores, content)) === undefined) return undefined
  // A folder that is not mounted and a bucket that is gone have no file at all: that says nothing about one.
  await stores.blobs.checkWritable()
  const problem = await tryReading(stores, content)
  if (problem === undefined) return undefined
  const documentId = await findBereft(stores, content, problem)
  return documentId === undefined ? undefined : { problem, documentId }
}

async function tryReading({ blobs }: Stores, { tenantId, sha256, sizeBytes }: Content): Promise<Problem | undefined> {
  try {
    const open = await blobs.openRead(tenantId, sha256.toString('hex'))
    await drain(open.stream)
    return open.sizeBytes === sizeBytes ? undefined : 'damaged'
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined
    if (code === BLOB_MISSING_CODE) return 'missing'
    return code === BLOB_CORRUPT_CODE ? 'damaged' : 'unreadable'
  }
}

/**
 * A document that needs the content. A purge takes the rows first and then, under this lock, the bytes: while it is held
 * and there is a row, there have to be bytes.
 */
function findBereft({ db, blobs }: Stores, content: Content, problem: Problem): Promise<string | undefined> {
  const { tenantId, sha256 } = content
  return db.transaction(tenantId, async (tx) => {
    await awaitContentRemoval.run(tx, { tenantId, sha256 })
    const kept = await isContentKept.maybeOne(tx, { tenantId, sha256 })
    if (kept === undefined || problem !== 'missing') return kept?.id
    return (await blobs.stat(tenantId, sha256.toString('hex'))) === undefined ? kept.id : undefined
  })
}
