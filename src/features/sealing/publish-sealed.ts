// Sealed files are kept one by one, and appear to callers all at once with the request's last one.
import { SYSTEM } from '#features/event/index.ts'
import { planRenewals, type LastingFile } from '#features/renewal/index.ts'
import { findContents, keepDocuments, type NewDocuments } from '#features/storage/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { finishJobs } from '#platform/jobs/finish-jobs.ts'
import type { JobRun } from '#platform/jobs/job-handler.ts'
import { certificateOf, type Begun, type ToSeal } from './begin-sealing.ts'
import { moveAll, type Move } from './move-requests.ts'
import type { SealedFile } from './seal-document.ts'
import { keepSealed, publishSealed, type SealedRow } from './seal-statements.ts'
import { SEAL_LEVEL } from './sealing-request.ts'
import { lockRequests, type RequestRow } from './sealing-statements.ts'

export type StoredFile = Pick<SealedFile, 'level' | 'lastsUntil'> & { content: { sha256: string; sizeBytes: number } }

export type Sealed = { request: RequestRow; document: ToSeal; file: StoredFile }

/** A request whose documents are all sealed. */
export type Finished = Begun & {
  job: JobRun
  /** The one that is not kept yet; none where an earlier run had kept them all. */
  last: { document: ToSeal; file: StoredFile } | undefined
}

/** Keeps a file until the others of its request are sealed too. */
export async function keepFile(tx: Tx, sealed: Sealed, now: Date): Promise<void> {
  await keepFiles(tx, [{ ...sealed, isPublished: false }], now)
}

/** Publishes requests of one tenant, each with its last file, and ends their jobs: all of it or nothing. */
export async function publishRequests(tx: Tx, finished: Finished[], now: Date): Promise<void[]> {
  await requireProcessing(
    tx,
    finished.map(({ request }) => request),
  )
  const last = finished.flatMap((one) => (one.last ? [{ request: one.request, ...one.last, isPublished: true }] : []))
  // Statements go in the order in which they are asked for: the last files are there when all are published.
  const [, earlier] = await Promise.all([
    keepFiles(tx, last, now),
    publishEarlier(tx, finished),
    finishJobs(
      tx,
      finished.map(({ job }) => job),
    ),
  ])
  const sealed = new Map([...earlier, ...last.map(hashOfLast)])
  const moves = finished.map((one) => processedMove(one, sealed))
  await moveAll(tx, moves, { to: 'Processed', now })
  return finished.map(() => {})
}

/** Holds the requests, and throws where one was taken out of our hands while it was sealed. */
export async function requireProcessing(tx: Tx, requests: readonly RequestRow[]): Promise<void> {
  const { tenantId } = requests[0]!
  const requestIds = requests.map(({ id }) => id)
  const held = await lockRequests.many(tx, { tenantId, requestIds })
  const other = held.find(({ status }) => status !== 'Processing')
  if (other !== undefined) throw new Error(`the request became ${other.status} while it was sealed`)
  if (held.length !== requests.length) throw new Error('the request is gone')
}

type Kept = Sealed & { isPublished: boolean; sealedDocumentId: string }

/** Another run may have been quicker; then its file counts and this one is forgotten. */
async function keepFiles(tx: Tx, sealed: (Sealed & { isPublished: boolean })[], now: Date): Promise<void> {
  const [first] = sealed
  if (first === undefined) return
  const { tenantId } = first.request
  const all = sealed.map((one) => ({ ...one, sealedDocumentId: newId() }))
  const stored = byOwner(all).map((documents) => keepDocuments(tx, { tenantId, ...documents, now }))
  const [kept] = await Promise.all([
    keepSealed.run(tx, { tenantId, ids: all.map(({ document }) => document.id), files: all.map(sealedRow) }),
    planRenewals(tx, { tenantId, kind: 'sealingdocument' }, all.map(lastingFile), now),
    ...stored,
  ])
  if (kept !== sealed.length) throw new Error('the document was sealed by another run')
}

type Documents = Pick<NewDocuments, 'departmentId' | 'creatorId'> & { documents: NewDocuments['documents'][number][] }

/** Documents are kept for those of one department and creator at a time. */
function byOwner(kept: readonly Kept[]): Documents[] {
  const owners = new Map<string, Documents>()
  for (const { request, document, file, sealedDocumentId: id } of kept) {
    const { departmentId } = request
    const { creatorId, fileName } = document
    const owner = owners.get(departmentId + creatorId) ?? { departmentId, creatorId, documents: [] }
    owners.set(departmentId + creatorId, owner)
    owner.documents.push({ id, content: file.content, contentType: 'application/pdf', fileName })
  }
  return [...owners.values()]
}

const sealedRow = ({ document, file, sealedDocumentId, isPublished }: Kept): SealedRow => ({
  id: document.id,
  sealedDocumentId,
  levelReached: file.level,
  isPublished,
})

const lastingFile = ({ request, document, file, sealedDocumentId }: Kept): LastingFile => ({
  id: document.id,
  requestId: request.id,
  departmentId: request.departmentId,
  storedDocumentId: sealedDocumentId,
  lastsUntil: file.lastsUntil,
})

/** The SHA-256 of sealed files, by the document's id. */
type Hashes = ReadonlyMap<string, string>

const hashOfLast = ({ document, file }: Sealed) => [document.id, file.content.sha256] as const

/** Files that were kept before the last one. A request with one document, the usual case, has none. */
async function publishEarlier(tx: Tx, finished: readonly Finished[]): Promise<Hashes> {
  const several = finished.filter(({ documents, last }) => documents.length > 1 || last === undefined)
  if (several.length === 0) return new Map()
  const { tenantId } = several[0]!.request
  const requestIds = several.map(({ request }) => request.id)
  const published = await publishSealed.many(tx, { tenantId, requestIds })
  const expected = several.reduce((sum, { documents }) => sum + documents.length, 0)
  if (published.length !== expected) throw new Error('not every document of the request is sealed')
  const documentIds = published.map(({ sealedDocumentId }) => sealedDocumentId)
  const contents = await findContents(tx, { tenantId, documentIds })
  return new Map(
    published.map(({ id, sealedDocumentId }) => [id, contents.get(sealedDocumentId)!.sha256.toString('hex')]),
  )
}

/** The history has the hashes of what was given and of what it became: another file in its place would be noticed. */
function processedMove({ request, documents, contents, signer }: Finished, sealed: Hashes): Move {
  const told = documents.map(({ id, sourceDocumentId }) => ({
    id,
    sourceSha256: contents.get(sourceDocumentId)!.sha256.toString('hex'),
    sha256: sealed.get(id)!,
    level: SEAL_LEVEL,
  }))
  const data = { creatorId: request.creatorId, documents: told, ...certificateOf(signer) }
  return { request, event: { type: 'sealingrequestprocessed', actor: SYSTEM, data } }
}
