// Sealing a request: Open, Processing, then Processed or Error. It may be cut off anywhere and begun again: what has been
// sealed and kept is taken as it is, and the files appear to callers all at once, in the transaction that ends the job.
// Requests that wait at the same moment begin together and are published together: a backlog costs few commits.
import { changeCounts } from '#features/counts/index.ts'
import { appendEvents, SYSTEM, type NewEvent } from '#features/event/index.ts'
import { ensureTenantAuthority, findSeal, noSealCertificate, readTrustAnchors } from '#features/certificates/index.ts'
import { planRenewal } from '#features/renewal/index.ts'
import { findContent, keepContent, keepDocuments, loadContent } from '#features/storage/index.ts'
import { parseCertificate } from '#pki/certificate.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import type { Tx } from '#platform/db/database.ts'
import { groupTransactions } from '#platform/db/group-transactions.ts'
import { newId } from '#platform/ids.ts'
import { RETRY_AFTER_S } from '#platform/jobs/retry-after.ts'
import type { JobRun } from '#platform/jobs/worker.ts'
import type { Platform } from '#platform/platform.ts'
import { explainFailure, isLasting } from './seal-failure.ts'
import { sealDocument, type SealedFile } from './seal-document.ts'
import { keepSealed, listDocumentsToSeal, moveRequest, publishSealed } from './seal-statements.ts'
import type { SealingStatus } from './sealing-request.ts'
import { lockRequest, type RequestRow } from './sealing-statements.ts'

export type SealPoint = 'begun' | 'sealed' | 'kept' | 'all-sealed'

export type SealOptions = {
  /** Told where the work stands; tests cut it off there. */
  at?: (point: SealPoint) => Promise<void> | void
  /** Lets only so many documents be signed at a time. */
  limit?: <T>(work: () => Promise<T>) => Promise<T>
}

type ToSeal = Awaited<ReturnType<typeof listDocumentsToSeal.many>>[number]
type Begun = {
  request: RequestRow
  documents: ToSeal[]
  /** By the source document's id. */
  hashes: ReadonlyMap<string, Buffer>
  signer: RawSigner | undefined
  anchors: Buffer[]
}
type StoredFile = Pick<SealedFile, 'level' | 'lastsUntil'> & { content: { sha256: string; sizeBytes: number } }
type Finished = Begun & { job: JobRun; last: { document: ToSeal; file: StoredFile } | undefined }

/** Answers with what seals every document of the request that a job names, and publishes them together. */
export function makeSealer(platform: Platform, options: SealOptions): (job: JobRun) => Promise<void> {
  const begin = groupTransactions<string, Begun | undefined>(platform.db, (tx, tenantId, requestIds) =>
    beginSealing(tx, platform, { tenantId, requestIds }),
  )
  const publish = groupTransactions<Finished, void>(platform.db, (tx, _, all) => publishRequests(tx, platform, all))
  const { at, limit = (work) => work() } = options

  async function sealAll(job: JobRun, begun: Begun): Promise<void> {
    const { request, documents, hashes, signer, anchors } = begun
    const { tenantId } = job
    if (signer === undefined) throw noSealCertificate()
    const sealOne = async ({ sourceDocumentId }: ToSeal) => {
      const sealed = await limit(async () => {
        await job.giveWay()
        const bytes = await loadContent(platform, { tenantId, sha256: hashes.get(sourceDocumentId)! })
        return sealDocument(platform, { tenantId, bytes, signer, anchors })
      })
      await at?.('sealed')
      const { bytes, level, lastsUntil } = sealed
      return { level, lastsUntil, content: await keepContent(platform, { tenantId, bytes }) }
    }
    const remaining = documents.filter(({ sealedDocumentId }) => sealedDocumentId === null)
    const last = remaining.pop()
    await Promise.all(
      remaining.map(async (document) => {
        const file = await sealOne(document)
        await platform.db.transaction(tenantId, (tx) => keep(tx, platform, { request, document, file }))
        await at?.('kept')
      }),
    )
    // The last one needs no transaction of its own: it is kept in the one that publishes them all.
    const lastFile = last && { document: last, file: await sealOne(last) }
    await at?.('all-sealed')
    await publish(tenantId, { ...begun, job, last: lastFile })
  }

  return async (job) => {
    const { tenantId, payload, attempt } = job
    await ensureTenantAuthority(platform, { tenantId, now: platform.clock.now() })
    const begun = await begin(tenantId, String(payload['requestId']))
    if (begun === undefined) return
    await at?.('begun')
    try {
      await sealAll(job, begun)
    } catch (error) {
      const isLastTry = attempt >= RETRY_AFTER_S.length
      if (!isLasting(error) && !isLastTry) throw error
      await recordFailure(platform, { job, request: begun.request, reason: explainFailure(error) })
    }
  }
}

type Requests = { tenantId: string; requestIds: string[] }

/** Undefined where there is nothing to do any more: canceled meanwhile, or sealed by an earlier run. */
async function beginSealing(
  tx: Tx,
  platform: Platform,
  { tenantId, requestIds }: Requests,
): Promise<(Begun | undefined)[]> {
  const now = platform.clock.now()
  const found = await Promise.all(requestIds.map((requestId) => lookAt(tx, { tenantId, requestId })))
  const departmentIds = new Set(found.flatMap((one) => one?.request.departmentId ?? []))
  const [anchors, ...seals] = await Promise.all([
    readTrustAnchors(tx, platform, tenantId),
    ...[...departmentIds].map(async (departmentId) => ({
      departmentId,
      signer: await findSeal(tx, platform, { tenantId, departmentId, now }),
    })),
  ])
  const shared = { anchors: anchors.map(({ certificate }) => certificate) }
  const sealOf = (id: string) => seals.find(({ departmentId }) => departmentId === id)?.signer
  const begun = found.map((one) => one && { ...one, ...shared, signer: sealOf(one.request.departmentId) })
  const opened = begun.filter((one) => one?.request.status === 'Open')
  await moveAll(
    tx,
    opened.map((one) => intentOf(one!)),
    now,
  )
  return begun.map((one) => one && { ...one, request: { ...one.request, status: 'Processing' } })
}

async function lookAt(tx: Tx, name: { tenantId: string; requestId: string }) {
  const [request, documents] = await Promise.all([lockRequest.maybeOne(tx, name), listDocumentsToSeal.many(tx, name)])
  if (!isToSeal(request)) return undefined
  const { tenantId } = name
  const hashes = await Promise.all(
    documents.map(async ({ sourceDocumentId: documentId }) => {
      const sha256 = await findContent(tx, { tenantId, documentId })
      return [documentId, sha256] as const
    }),
  )
  return { request, documents, hashes: new Map(hashes) }
}

const isToSeal = (request: RequestRow | undefined): request is RequestRow =>
  request?.status === 'Open' || request?.status === 'Processing'

/** What is going to be sealed, and with what, is on record before the key is used. */
function intentOf({ request, documents, signer }: Begun): Move {
  const data = { documents: documents.map(({ sourceDocumentId }) => sourceDocumentId), ...certificateOf(signer) }
  return { request, to: 'Processing', data }
}

const certificateOf = (signer: RawSigner | undefined) =>
  signer && { certificate: parseCertificate(signer.certificate).serial.toString('hex') }

type Sealed = { request: RequestRow; document: ToSeal; file: StoredFile }

/** Another run may have been quicker; then its file counts and this one is forgotten. */
async function keep(tx: Tx, { clock }: Platform, { request, document, file }: Sealed): Promise<void> {
  const { tenantId, departmentId, id: requestId } = request
  const { id, fileName, creatorId } = document
  const { content, level: levelReached, lastsUntil } = file
  const now = clock.now()
  const sealedDocumentId = newId()
  const stored = { id: sealedDocumentId, content, contentType: 'application/pdf', fileName }
  const calendar = { tenantId, id, requestId, departmentId, storedDocumentId: sealedDocumentId, lastsUntil }
  const [, kept] = await Promise.all([
    keepDocuments(tx, { tenantId, departmentId, creatorId, documents: [stored], now }),
    keepSealed.run(tx, { tenantId, id, sealedDocumentId, levelReached }),
    planRenewal(tx, { ...calendar, kind: 'sealingdocument' }, now),
  ])
  if (kept !== 1) throw new Error('the document was sealed by another run')
}

async function publishRequests(tx: Tx, platform: Platform, finished: Finished[]): Promise<void[]> {
  await Promise.all(finished.map(({ request }) => requireProcessing(tx, request)))
  await Promise.all(finished.map((one) => publishFiles(tx, platform, one)))
  await moveAll(tx, finished.map(processedMove), platform.clock.now())
  return finished.map(() => {})
}

async function requireProcessing(tx: Tx, { tenantId, id: requestId }: RequestRow): Promise<void> {
  const { status } = await lockRequest.one(tx, { tenantId, requestId })
  if (status !== 'Processing') throw new Error(`the request became ${status} while it was sealed`)
}

async function publishFiles(tx: Tx, platform: Platform, { request, documents, job, last }: Finished): Promise<void> {
  const { tenantId, id: requestId } = request
  // Statements go in the order in which they are asked for: the last file is there when all are published.
  const [, published] = await Promise.all([
    last && keep(tx, platform, { request, ...last }),
    publishSealed.run(tx, { tenantId, requestId }),
    job.finish(tx),
  ])
  if (published !== documents.length) throw new Error('not every document of the request is sealed')
}

function processedMove({ request, documents, signer }: Finished): Move {
  const data = { creatorId: request.creatorId, documents: documents.length, ...certificateOf(signer) }
  return { request, to: 'Processed', event: { type: 'sealingrequestprocessed', actor: SYSTEM, data } }
}

async function recordFailure(
  { db, clock }: Platform,
  { job, request, reason }: { job: JobRun; request: RequestRow; reason: string },
): Promise<void> {
  await db.transaction(request.tenantId, async (tx) => {
    await requireProcessing(tx, request)
    await fail(tx, { request, reason, now: clock.now() })
    await job.finish(tx)
  })
}

/** Sealing it ends the process that tries: the request is in Error, as after any other failure that lasts. */
export async function giveUpSealing({ db, clock }: Platform, job: JobRun): Promise<void> {
  const { tenantId } = job
  const reason = 'Sealing it failed again and again. The log of the service says more.'
  await db.transaction(tenantId, async (tx) => {
    const request = await lockRequest.maybeOne(tx, { tenantId, requestId: String(job.payload['requestId']) })
    const now = clock.now()
    // It may have ended the process even before the request was taken up.
    if (request?.status === 'Open') await moveAll(tx, [{ request, to: 'Processing' }], now)
    if (isToSeal(request)) await fail(tx, { request: { ...request, status: 'Processing' }, reason, now })
    await job.finish(tx)
  })
}

async function fail(
  tx: Tx,
  { request, reason, now }: { request: RequestRow; reason: string; now: Date },
): Promise<void> {
  const event = { type: 'sealingrequestfailed', actor: SYSTEM, data: { creatorId: request.creatorId, reason } }
  await moveAll(tx, [{ request, to: 'Error', reason, event }], now)
}

type Move = {
  request: RequestRow
  to: SealingStatus
  reason?: string
  /** What happened besides the move. */
  event?: NewEvent
  data?: Record<string, unknown>
}

async function moveAll(tx: Tx, moves: Move[], now: Date): Promise<void> {
  const [first] = moves
  if (first === undefined) return
  const counts = moves.flatMap(({ request: { departmentId, status }, to }) => [
    { departmentId, status, by: -1 },
    { departmentId, status: to, by: 1 },
  ])
  await Promise.all(moves.map((one) => move(tx, one, now)))
  // Last, because everybody who works in the department shares the counters.
  await changeCounts(tx, first.request.tenantId, 'sealingrequest', counts)
}

async function move(tx: Tx, { request, to, reason, event, data: more = {} }: Move, now: Date): Promise<void> {
  const { tenantId, id: requestId, departmentId, status } = request
  const data = { creatorId: request.creatorId, previousStatus: status, status: to, ...more }
  const subject = { tenantId, requestId, requestKind: 'sealingrequest', departmentId } as const
  const moved = { type: 'sealingrequeststatusupdated', actor: SYSTEM, data }
  await Promise.all([
    moveRequest.run(tx, { tenantId, requestId, status: to, statusReason: reason ?? null, now }),
    appendEvents(tx, subject, event ? [event, moved] : [moved], now),
  ])
}
