// Sealing a request: Open, Processing, then Processed or Error. It may be cut off anywhere and begun again: what has been
// sealed and kept is taken as it is, and the files appear to callers all at once, in the transaction that ends the job.
import { changeCounts } from '#features/counts/index.ts'
import { appendEvents, SYSTEM, type NewEvent } from '#features/event/index.ts'
import { ensureTenantAuthority, findSeal, noSealCertificate } from '#features/certificates/index.ts'
import { planRenewal } from '#features/renewal/index.ts'
import { keepContent, keepDocument, loadDocument } from '#features/storage/index.ts'
import { parseCertificate } from '#pki/certificate.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import type { Tx } from '#platform/db/database.ts'
import { RETRY_AFTER_S, type JobRun } from '#platform/jobs/worker.ts'
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

/** Seals every document of the request that the job names, and publishes them together. */
export async function sealRequest(platform: Platform, job: JobRun, options: SealOptions = {}): Promise<void> {
  const requestId = String(job.payload['requestId'])
  const { tenantId } = job
  await ensureTenantAuthority(platform, { tenantId, now: platform.clock.now() })
  const begun = await platform.db.transaction(tenantId, (tx) => beginSealing(tx, platform, { tenantId, requestId }))
  if (begun === undefined) return
  await options.at?.('begun')
  try {
    await sealAll(platform, { ...begun, job, options })
  } catch (error) {
    const isLastTry = job.attempt >= RETRY_AFTER_S.length
    if (!isLasting(error) && !isLastTry) throw error
    await recordFailure(platform, { job, request: begun.request, reason: explainFailure(error) })
  }
}

type Named = { tenantId: string; requestId: string }
type ToSeal = Awaited<ReturnType<typeof listDocumentsToSeal.many>>[number]
type Begun = { request: RequestRow; documents: ToSeal[]; signer: RawSigner | undefined }

/** Undefined where there is nothing to do any more: canceled meanwhile, or sealed by an earlier run. */
async function beginSealing(tx: Tx, platform: Platform, name: Named): Promise<Begun | undefined> {
  const request = await lockRequest.maybeOne(tx, name)
  if (request?.status !== 'Open' && request?.status !== 'Processing') return undefined
  const now = platform.clock.now()
  const { tenantId, departmentId } = request
  const documents = await listDocumentsToSeal.many(tx, name)
  const signer = await findSeal(tx, platform, { tenantId, departmentId, now })
  if (request.status === 'Open') {
    // What is going to be sealed, and with what, is on record before the key is used.
    const intent = { documents: documents.map(({ sourceDocumentId }) => sourceDocumentId), ...certificateOf(signer) }
    await move(tx, { request, to: 'Processing', now, data: intent })
  }
  return { request: { ...request, status: 'Processing' }, documents, signer }
}

const certificateOf = (signer: RawSigner | undefined) =>
  signer && { certificate: parseCertificate(signer.certificate).serial.toString('hex') }

type Sealing = Begun & { job: JobRun; options: SealOptions }

async function sealAll(platform: Platform, { job, request, documents, signer, options }: Sealing): Promise<void> {
  if (signer === undefined) throw noSealCertificate()
  const { tenantId, id: requestId } = request
  const remaining = documents.filter(({ sealedDocumentId }) => sealedDocumentId === null)
  const last = remaining.at(-1)
  await Promise.all(
    remaining.slice(0, -1).map(async (document) => {
      const file = await sealOne(platform, { document, tenantId, signer, options })
      await platform.db.transaction(tenantId, (tx) => keep(tx, platform, { request, document, file }))
      await options.at?.('kept')
    }),
  )
  // The last one needs no transaction of its own: it is kept in the one that publishes them all.
  const file = last && (await sealOne(platform, { document: last, tenantId, signer, options }))
  await options.at?.('all-sealed')
  await platform.db.transaction(tenantId, async (tx) => {
    await requireProcessing(tx, { tenantId, requestId })
    if (last && file) await keep(tx, platform, { request, document: last, file })
    await publish(tx, platform, { request, documents: documents.length, signer })
    await job.finish(tx)
  })
}

type StoredFile = Pick<SealedFile, 'level' | 'lastsUntil'> & { content: { sha256: string; sizeBytes: number } }

async function sealOne(
  platform: Platform,
  {
    document,
    tenantId,
    signer,
    options,
  }: { document: ToSeal; tenantId: string; signer: RawSigner; options: SealOptions },
): Promise<StoredFile> {
  const { limit = (work) => work(), at } = options
  const { bytes } = await loadDocument(platform, { tenantId, documentId: document.sourceDocumentId })
  const sealed = await limit(() => sealDocument(platform, { tenantId, bytes, signer }))
  await at?.('sealed')
  const { level, lastsUntil } = sealed
  return { level, lastsUntil, content: await keepContent(platform, { tenantId, bytes: sealed.bytes }) }
}

/** Another run may have been quicker; then its file counts and this one is forgotten. */
async function keep(
  tx: Tx,
  { clock }: Platform,
  { request, document, file }: { request: RequestRow; document: ToSeal; file: StoredFile },
): Promise<void> {
  const { tenantId, departmentId, id: requestId } = request
  const { id, fileName, creatorId } = document
  const { content, level: levelReached, lastsUntil } = file
  const now = clock.now()
  const stored = { tenantId, departmentId, content, contentType: 'application/pdf', fileName, creatorId }
  const sealedDocumentId = await keepDocument(tx, { ...stored, now })
  const kept = await keepSealed.run(tx, { tenantId, id, sealedDocumentId, levelReached })
  if (kept !== 1) throw new Error('the document was sealed by another run')
  const own = { tenantId, id, requestId, departmentId, storedDocumentId: sealedDocumentId, lastsUntil }
  await planRenewal(tx, { ...own, kind: 'sealingdocument' }, now)
}

async function requireProcessing(tx: Tx, name: Named): Promise<void> {
  const { status } = await lockRequest.one(tx, name)
  if (status !== 'Processing') throw new Error(`the request became ${status} while it was sealed`)
}

async function publish(
  tx: Tx,
  { clock }: Platform,
  { request, documents, signer }: { request: RequestRow; documents: number; signer: RawSigner },
): Promise<void> {
  const { tenantId, id: requestId } = request
  const published = await publishSealed.run(tx, { tenantId, requestId })
  if (published !== documents) throw new Error('not every document of the request is sealed')
  const event = {
    type: 'sealingrequestprocessed',
    actor: SYSTEM,
    data: { creatorId: request.creatorId, documents, ...certificateOf(signer) },
  }
  await move(tx, { request, to: 'Processed', now: clock.now(), event })
}

async function recordFailure(
  { db, clock }: Platform,
  { job, request, reason }: { job: JobRun; request: RequestRow; reason: string },
): Promise<void> {
  const { tenantId, id: requestId } = request
  await db.transaction(tenantId, async (tx) => {
    await requireProcessing(tx, { tenantId, requestId })
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
    if (request?.status === 'Processing') await fail(tx, { request, reason, now: clock.now() })
    await job.finish(tx)
  })
}

async function fail(
  tx: Tx,
  { request, reason, now }: { request: RequestRow; reason: string; now: Date },
): Promise<void> {
  const event = { type: 'sealingrequestfailed', actor: SYSTEM, data: { creatorId: request.creatorId, reason } }
  await move(tx, { request, to: 'Error', reason, now, event })
}

type Move = {
  request: RequestRow
  to: SealingStatus
  reason?: string
  now: Date
  /** What happened besides the move. */
  event?: NewEvent
  data?: Record<string, unknown>
}

async function move(tx: Tx, { request, to, reason, now, event, data: more = {} }: Move): Promise<void> {
  const { tenantId, id: requestId, departmentId, status } = request
  await moveRequest.run(tx, { tenantId, requestId, status: to, statusReason: reason ?? null, now })
  const data = { creatorId: request.creatorId, previousStatus: status, status: to, ...more }
  const subject = { tenantId, requestId, requestKind: 'sealingrequest', departmentId } as const
  const moved = { type: 'sealingrequeststatusupdated', actor: SYSTEM, data }
  await appendEvents(tx, subject, event ? [event, moved] : [moved], now)
  await changeCounts(tx, tenantId, 'sealingrequest', [
    { departmentId, status, by: -1 },
    { departmentId, status: to, by: 1 },
  ])
}
