// Serves jobs: finds the due ones of its buckets, runs their handlers, and records how each ended.
import { randomInt } from 'node:crypto'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { groupTransactions } from '#platform/db/group-transactions.ts'
import { newId } from '#platform/ids.ts'
import { describeError, type Log } from '#platform/log/log.ts'
import { follow } from '#platform/tracing/follow.ts'
import { finishJobs, type Lease } from './finish-jobs.ts'
import type { JobHandler, JobRun } from './job-handler.ts'
import { buryJob, claimJobs, deleteJobs, listDueJobs, postponeJob } from './job-statements.ts'
import { makeLanes, type Due, type Found, type Lane } from './lanes.ts'
import { makeLeases } from './leases.ts'
import { makeQuiet, type Quiet } from './quiet.ts'
import { RETRY_AFTER_S } from './retry-after.ts'
import { makeRounds } from './rounds.ts'

/**
 * A job that was begun so often, and whose process ended each time, is not begun again. Many, because a process may end for
 * other reasons, or for another of the jobs that it was running.
 */
export const MOST_CLAIMS = 20

const BEAT_EVERY_MS = 3_000
const LOOK_EVERY_MS = 1_000
const LONGEST_ERROR = 500

export type Worker = {
  /** Looks for work at once instead of at the next second. */
  wake(): void
  /**
   * Takes no more jobs from this moment on, waits for those that run and for what is being ended beside them, and gives the
   * buckets back: each as soon as nothing is under way in it.
   */
  stop(beside?: Promise<unknown>): Promise<void>
  /** Buckets held, for tests and for the tasks that one worker alone performs. */
  holds(bucket: number): boolean
  /** Generation by bucket, of every bucket held. */
  held(): ReadonlyMap<number, number>
  /** Before each step of something that nobody waits for and that is no job: lets pass what somebody does wait for. */
  giveWay(): Promise<void>
  /** Under which it holds them. */
  readonly owner: string
  /** After its first heartbeat: others know by then that it is alive. */
  readonly isUp: Promise<void>
}

export type WorkerOptions = {
  db: Database
  clock: Clock
  log: Log
  handlers: readonly JobHandler[]
  atOnce: number
  /** Waits until everything that a tenant's jobs are about can be seen. */
  settle?: (tenantId: string) => Promise<void>
  /** Whether something besides the jobs is under way in a bucket, so that it can't be given to another worker yet. */
  isBusyBeside?: (bucket: number) => boolean
}

type Fence = { tenantId: string; id: string } & Lease

export function startWorker(options: WorkerOptions): Worker {
  const { db, clock, log, handlers, atOnce, settle, isBusyBeside = () => false } = options
  const owner = newId()
  const startedAt = clock.now()
  const leases = makeLeases(db, owner)
  const byQueue = new Map(handlers.map((handler) => [handler.queue, handler]))
  const lanes = makeLanes(handlers, atOnce)
  const [interactive, ...others] = lanes
  const quiet = makeQuiet(() => urgentLook !== undefined || interactive.running.size > 0)
  const allRunning = () => lanes.flatMap(({ running }) => [...running.values()])
  const isBusy = (bucket: number) => isBusyBeside(bucket) || allRunning().some((job) => job.bucket === bucket)
  // A claim has to outlive this process, not the machine: nobody waits for the disk.
  const claim = groupTransactions<Claim, void>(
    db,
    (tx, tenantId, claims) => claimAll(tx, { tenantId, owner, claims }),
    { mayBeForgotten: true, plansOnce: true },
  )
  const lookFailed = (error: unknown) => log.warn({ error: describeError(error) }, 'looking for jobs failed')
  // Apart from each other: what somebody waits for is found while the rest is still being looked for.
  const urgentLooks = makeRounds(lookForUrgent, lookFailed)
  const otherLooks = makeRounds(lookForOthers, lookFailed)
  let urgentLook: Promise<void> | undefined
  let isStopping = false

  async function lookForUrgent(): Promise<void> {
    urgentLook = findWork(interactive).finally(() => {
      urgentLook = undefined
      quiet.look()
    })
    await urgentLook
  }

  async function lookForOthers(): Promise<void> {
    await urgentLook?.catch(() => {})
    for (const lane of others) await findWork(lane)
  }

  async function findWork(lane: Lane): Promise<void> {
    if (lane.running.size + lane.line.length < lane.atOnce) lane.line.push(...(await listDue(lane)))
    beginNext(lane)
  }

  async function listDue({ queues, ahead: most, line, running }: Lane): Promise<Found[]> {
    const held = new Map(leases.held())
    if (isStopping || queues.length === 0 || held.size === 0) return []
    const known = [...running.keys(), ...line.map(({ job }) => job.id)]
    const question = { buckets: [...held.keys()], queues, running: known, now: clock.now(), most }
    const due = await db.systemTransaction((tx) => listDueJobs.many(tx, question), { isReadOnly: true })
    return due.map((job) => ({ job, generation: held.get(job.bucket)! }))
  }

  function beginNext(lane: Lane): void {
    if (isStopping) return
    while (lane.line.length > 0 && lane.running.size < lane.atOnce) begin(lane, lane.line.shift()!)
  }

  /** A lease that was lost meanwhile, and perhaps won again, says nothing about what others did with the job. */
  function begin(lane: Lane, { job, generation }: Found): void {
    const { line, running } = lane
    if (leases.held().get(job.bucket) !== generation || running.has(job.id)) return
    const done = runJob(job, generation).finally(() => {
      running.delete(job.id)
      if (lane === interactive) quiet.served()
      if (line.length > 0) beginNext(lane)
      else if (lane === interactive) urgentLooks.wake()
      else otherLooks.wake()
    })
    running.set(job.id, { bucket: job.bucket, done })
  }

  async function runJob(job: Due, generation: number): Promise<void> {
    const { tenantId, id } = job
    const lease = { owner, generation }
    const fence = { tenantId, id, ...lease }
    const finish = (tx: Tx) => finishJobs(tx, [run])
    const run: JobRun = {
      ...job,
      lease,
      isFinished: false,
      finish,
      giveWay: makeGivingWay(quiet),
      isCalm: quiet.isCalm,
    }
    try {
      if (job.claims >= MOST_CLAIMS) return await giveUp(job, run, fence)
      // It may have ended the worker before this one. Younger jobs are not written down, and so cost nothing more.
      if (job.createdAt < startedAt) await claim(tenantId, { id, generation })
      await settle?.(tenantId)
      // Both may take long, and whoever has the lease by now begins it too.
      if (leases.held().get(job.bucket) !== generation) return
      const attributes = { 'countersign.queue': job.queue, 'countersign.job': id, 'countersign.attempt': job.attempt }
      await follow({ kind: 'job', name: job.queue, attributes }, () => byQueue.get(job.queue)!.run(run))
      if (!run.isFinished) await db.transaction(tenantId, (tx) => deleteJobs.run(tx, { tenantId, ids: [id], ...lease }))
    } catch (error) {
      log.warn({ queue: job.queue, job: job.id, attempt: job.attempt, error: describeError(error) }, 'a job failed')
      await recordFailure(job, fence, error).catch((second: unknown) => {
        log.error({ queue: job.queue, job: job.id, error: describeError(second) }, 'a failed job could not be recorded')
      })
    }
  }

  async function giveUp({ queue, claims }: Due, run: JobRun, fence: Fence): Promise<void> {
    const error = `the process that ran it ended ${MOST_CLAIMS} times`
    log.error({ queue, job: run.id, claims }, `a job was given up: ${error}`)
    await byQueue.get(queue)!.giveUp?.(run, error)
    await db.transaction(run.tenantId, (tx) => buryJob.run(tx, { ...fence, error }))
  }

  async function recordFailure(job: Due, fence: Fence, cause: unknown) {
    const error = (cause instanceof Error ? cause.message : String(cause)).slice(0, LONGEST_ERROR)
    const delayS = RETRY_AFTER_S[job.attempt]
    await db.transaction(job.tenantId, (tx) =>
      delayS === undefined
        ? buryJob.run(tx, { ...fence, error })
        : postponeJob.run(tx, { ...fence, error, runAt: after(clock.now(), delayS) }),
    )
  }

  function wake(): void {
    urgentLooks.wake()
    otherLooks.wake()
  }

  let beat = Promise.resolve()
  const keepLeases = () => {
    beat = beat
      .then(() => (isStopping ? leases.keep(isBusy) : leases.beat(isBusy)))
      .then(wake, (error: unknown) => log.warn({ error: describeError(error) }, 'renewing the leases failed'))
  }
  keepLeases()
  const isUp = beat
  const beats = setInterval(keepLeases, BEAT_EVERY_MS)
  const looks = setInterval(wake, LOOK_EVERY_MS)

  return {
    wake,
    owner,
    isUp,
    held: () => leases.held(),
    holds: (bucket) => leases.held().has(bucket),
    giveWay: async () => void (await quiet.wait()),
    async stop(beside) {
      isStopping = true
      clearInterval(looks)
      keepLeases()
      await Promise.all([urgentLooks.stop(), otherLooks.stop(), beside])
      // Their leases are kept until then: otherwise another worker would begin them a second time.
      await Promise.all(allRunning().map((job) => job.done))
      clearInterval(beats)
      await beat
      await leases
        .release()
        .catch((error: unknown) => log.warn({ error: describeError(error) }, 'giving the buckets back failed'))
    },
  }
}

/** A job that had to go on once because it was never quiet is not held up again. */
function makeGivingWay(quiet: Quiet): () => Promise<void> {
  let hasWaited = false
  return async () => {
    hasWaited ||= await quiet.wait()
  }
}

type Claim = { id: string; generation: number }
type Claims = { tenantId: string; owner: string; claims: readonly Claim[] }

/** What is begun at the same moment is written down together. */
async function claimAll(tx: Tx, { tenantId, owner, claims }: Claims): Promise<void[]> {
  for (const generation of new Set(claims.map((one) => one.generation))) {
    const ids = claims.filter((one) => one.generation === generation).map(({ id }) => id)
    await claimJobs.run(tx, { tenantId, ids, owner, generation })
  }
  return claims.map(() => {})
}

/** The delay with a tenth more or less, so that what failed together does not come back together. */
function after(now: Date, seconds: number): Date {
  const spreadMs = seconds * 100
  return new Date(now.getTime() + seconds * 1000 + randomInt(-spreadMs, spreadMs + 1))
}
