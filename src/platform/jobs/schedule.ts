// Tasks that recur: run by the worker that holds the first bucket, each at most once in its interval whoever that is.
import { text, time } from '#platform/db/columns.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { describeError, type Log } from '#platform/log/log.ts'

/** What fails is due again so soon, and each time that it fails anew after twice as long, until that is its interval. */
const AGAIN_AFTER_MS = 5 * 60_000

export type RecurringTask = { name: string; everyMs: number; run(now: Date): Promise<void> }

const LOOK_EVERY_MS = 5_000

export type ScheduleOptions = {
  db: Database
  clock: Clock
  log: Log
  tasks: readonly RecurringTask[]
  isMine: () => boolean
  lookEveryMs?: number
}

export function startSchedule({ db, clock, log, tasks, isMine, lookEveryMs = LOOK_EVERY_MS }: ScheduleOptions): {
  stop(): Promise<void>
} {
  let round = Promise.resolve()
  let isStopping = false
  /** How often each task has failed since it last succeeded. */
  const failures = new Map<string, number>()
  /** Tasks that did not come to their end, until the database knows when they are due again. */
  const unended = new Map<string, Unended>()

  async function runDue(): Promise<void> {
    await noteUnended()
    for (const task of tasks) {
      if (isStopping || !isMine()) return
      const now = clock.now()
      const before = new Date(now.getTime() - task.everyMs)
      const isDue = (await db.systemTransaction((tx) => claimTask.run(tx, { name: task.name, now, before }))) === 1
      if (!isDue) continue
      await runTask(task, now)
    }
  }

  async function runTask(task: RecurringTask, claimedAt: Date): Promise<void> {
    try {
      await task.run(claimedAt)
      failures.delete(task.name)
    } catch (error) {
      const before = new Date(clock.now().getTime() - task.everyMs)
      unended.set(task.name, { claimedAt, lastRunAt: new Date(before.getTime() + pauseAfter(task, error)) })
      await noteUnended()
    }
  }

  /** Whatever was broken off because we stop goes on wherever the next worker is. */
  function pauseAfter({ name, everyMs }: RecurringTask, error: unknown): number {
    if (isStopping && error instanceof Error && error.name === 'AbortError') {
      log.info({ task: name }, 'a recurring task was broken off')
      return 0
    }
    log.error({ task: name, error: describeError(error) }, 'a recurring task failed')
    const before = failures.get(name) ?? 0
    failures.set(name, before + 1)
    return Math.min(everyMs, AGAIN_AFTER_MS * 2 ** before)
  }

  /** It may be the database that was away: then at the next look. */
  async function noteUnended(): Promise<void> {
    for (const [name, times] of unended) {
      await db.systemTransaction((tx) => setBackTask.run(tx, { name, ...times }))
      unended.delete(name)
    }
  }

  const lookFailed = (error: unknown) => log.warn({ error: describeError(error) }, 'looking for recurring tasks failed')
  const look = setInterval(() => {
    round = round.then(runDue).catch(lookFailed)
  }, lookEveryMs)
  return {
    async stop() {
      isStopping = true
      clearInterval(look)
      await round
      await noteUnended().catch(lookFailed)
    },
  }
}

type Unended = { claimedAt: Date; lastRunAt: Date }

const claimTask = statement({
  name: 'claimTask',
  isGlobal: true,
  params: { name: text, now: time, before: time },
  sql: `insert into schedule as s (name, last_run_at) values (:name, :now)
        on conflict (name) do update set last_run_at = :now where s.last_run_at <= :before`,
})

/** As if it had run earlier. Changes nothing where it has begun anew meanwhile. */
const setBackTask = statement({
  name: 'setBackTask',
  isGlobal: true,
  params: { name: text, claimedAt: time, lastRunAt: time },
  sql: `update schedule set last_run_at = :lastRunAt where name = :name and last_run_at = :claimedAt`,
})
