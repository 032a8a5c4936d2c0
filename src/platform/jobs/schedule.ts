// Tasks that recur: run by the worker that holds the first bucket, each at most once in its interval whoever that is.
import { text, time } from '#platform/db/columns.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { describeError, type Log } from '#platform/log/log.ts'

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

  async function runDue(): Promise<void> {
    for (const task of tasks) {
      if (isStopping || !isMine()) return
      const now = clock.now()
      const before = new Date(now.getTime() - task.everyMs)
      const isDue = (await db.systemTransaction((tx) => claimTask.run(tx, { name: task.name, now, before }))) === 1
      if (!isDue) continue
      await task
        .run(now)
        .catch((error: unknown) =>
          log.error({ task: task.name, error: describeError(error) }, 'a recurring task failed'),
        )
    }
  }

  const look = setInterval(() => {
    round = round
      .then(runDue)
      .catch((error: unknown) => log.warn({ error: describeError(error) }, 'looking for recurring tasks failed'))
  }, lookEveryMs)
  return {
    async stop() {
      isStopping = true
      clearInterval(look)
      await round
    },
  }
}

const claimTask = statement({
  name: 'claimTask',
  isGlobal: true,
  params: { name: text, now: time, before: time },
  sql: `insert into schedule as s (name, last_run_at) values (:name, :now)
        on conflict (name) do update set last_run_at = :now where s.last_run_at <= :before`,
})
