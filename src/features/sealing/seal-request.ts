// Sealing a request: Open, Processing, then Processed or Error. It may be cut off anywhere and begun again: what has been
// sealed and kept is taken as it is, and the files appear to callers all at once, in the transaction that ends the job.
// Requests that wait at the same moment begin together and are published together: a backlog costs few commits.
import { createHash } from 'node:crypto'
import { ensureTenantAuthority, noSealCertificate } from '#features/certificates/index.ts'
import { SYSTEM } from '#features/event/index.ts'
import { keepSigned, loadContent, type StoredContent } from '#features/storage/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { groupTransactions } from '#platform/db/group-transactions.ts'
import { makeGathering, type Gathering } from '#platform/gathering.ts'
import { RETRY_AFTER_S } from '#platform/jobs/retry-after.ts'
import type { JobRun } from '#platform/jobs/job-handler.ts'
import type { Platform } from '#platform/platform.ts'
import { beginSealing, type Begun, type ToSeal } from './begin-sealing.ts'
import { moveAll } from './move-requests.ts'
import { keepFile, publishRequests, requireProcessing, type Finished } from './publish-sealed.ts'
import type { Room } from './room.ts'
import { explainFailure, isLasting } from './seal-failure.ts'
import { sealDocument } from './seal-document.ts'
import { lockRequest, type RequestRow } from './sealing-statements.ts'

export type SealPoint = 'begun' | 'sealed' | 'kept' | 'all-sealed'

export type SealOptions = {
  /** Told where the work stands; tests cut it off there. */
  at?: (point: SealPoint) => Promise<void> | void
  /** Documents are read, signed and judged only as far as there is room for them. */
  room?: Room
}

/** Some of those that are worked on; larger groups hold up whoever signs meanwhile. Nobody waits at a screen. */
const TOGETHER = { enough: 12, longestWaitMs: 250 }
/** The same while nobody signs. */
const ENOUGH_IF_CALM = 32

/** Each of their statements names its rows by key; planning it anew each time would be a quarter of the work. */
const PLANNED_ONCE = { plansOnce: true }

/** Answers with what seals every document of the request that a job names, and publishes them together. */
export function makeSealer(platform: Platform, options: SealOptions): (job: JobRun) => Promise<void> {
  const { db, clock } = platform
  const begin = groupTransactions<string, Begun | undefined>(
    db,
    (tx, tenantId, requestIds) => beginSealing(tx, platform, { tenantId, requestIds }),
    PLANNED_ONCE,
  )
  const publish = groupTransactions<Finished, void>(
    db,
    (tx, _, all) => publishRequests(tx, all, clock.now()),
    PLANNED_ONCE,
  )
  // Files that are made lasting at the same moment share the work of the disk, as requests share a commit.
  const keeping = makeGathering(TOGETHER)
  const publishing = makeGathering(TOGETHER)
  const { at, room = (_, work) => work() } = options

  async function sealAll(job: JobRun, begun: Begun): Promise<Finished> {
    const { request, documents, contents, signer, anchors } = begun
    const { tenantId } = job
    if (signer === undefined) throw noSealCertificate()
    const stageOne = ({ sha256, sizeBytes }: StoredContent) =>
      room(sizeBytes, async () => {
        await job.giveWay()
        const hash = createHash('sha256')
        const bytes = await loadContent(platform, { tenantId, sha256, sizeBytes, hash })
        const { giveWay, isCalm } = job
        return sealDocument(platform, { tenantId, bytes, hash, signer, anchors, giveWay, isCalm })
      })
    const sealOne = ({ sourceDocumentId }: ToSeal) =>
      amongOthers(keeping, job, async (arrive) => {
        const { staged, level, lastsUntil } = await stageOne(contents.get(sourceDocumentId)!)
        try {
          await at?.('sealed')
          await arrive()
          const content = await keepSigned(platform, { tenantId, staged })
          return { level, lastsUntil, content }
        } finally {
          await staged.discard()
        }
      })
    const remaining = documents.filter(({ sealedDocumentId }) => sealedDocumentId === null)
    const last = remaining.pop()
    const kept = remaining.map(async (document) => {
      const file = await sealOne(document)
      await db.transaction(tenantId, (tx) => keepFile(tx, { request, document, file }, clock.now()))
      await at?.('kept')
    })
    // A try that fails moves the request on, or another one follows, so nobody may still be keeping a file.
    await Promise.allSettled(kept)
    await Promise.all(kept)
    // The last one needs no transaction of its own: it is kept in the one that publishes them all.
    const lastFile = last && { document: last, file: await sealOne(last) }
    await at?.('all-sealed')
    return { ...begun, job, last: lastFile }
  }

  const sealAndPublish = (job: JobRun, begun: Begun): Promise<void> =>
    amongOthers(publishing, job, async (arrive) => {
      const finished = await sealAll(job, begun)
      await arrive()
      await publish(job.tenantId, finished)
    })

  return async (job) => {
    const { tenantId, payload, attempt } = job
    await ensureTenantAuthority(platform, { tenantId, now: clock.now() })
    await job.giveWay()
    const begun = await begin(tenantId, String(payload['requestId']))
    if (begun === undefined) return
    await at?.('begun')
    try {
      await sealAndPublish(job, begun)
    } catch (error) {
      const isLastTry = attempt >= RETRY_AFTER_S.length
      if (!isLasting(error) && !isLastTry) throw error
      await recordFailure(platform, { job, request: begun.request, reason: explainFailure(error) })
    }
  }
}

/** Does something in which those of one tenant wait for each other where they arrive, and go on together. */
async function amongOthers<T>(
  gathering: Gathering,
  { tenantId, isCalm, giveWay }: JobRun,
  work: (arrive: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const place = gathering.expect(tenantId)
  try {
    return await work(async () => {
      await place.arrive(isCalm() ? ENOUGH_IF_CALM : undefined)
      await giveWay()
    })
  } finally {
    place.leave()
  }
}

async function recordFailure(
  { db, clock }: Platform,
  { job, request, reason }: { job: JobRun; request: RequestRow; reason: string },
): Promise<void> {
  await db.transaction(request.tenantId, async (tx) => {
    await requireProcessing(tx, [request])
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
    if (request?.status === 'Open') await moveAll(tx, [{ request }], { to: 'Processing', now })
    if (request?.status === 'Open' || request?.status === 'Processing')
      await fail(tx, { request: { ...request, status: 'Processing' }, reason, now })
    await job.finish(tx)
  })
}

type Failure = { request: RequestRow; reason: string; now: Date }

async function fail(tx: Tx, { request, reason, now }: Failure): Promise<void> {
  const event = { type: 'sealingrequestfailed', actor: SYSTEM, data: { creatorId: request.creatorId, reason } }
  await moveAll(tx, [{ request, event }], { to: 'Error', reason, now })
}
