// The database's time for everybody. Servers and workers whose own clocks are wrong, or are set while they run, agree with
// it and so with each other: what one of them writes down as due in an hour is due in an hour for all. Between two looks
// it runs on by the monotonic clock, which nobody can set.
import type { Clock } from '#platform/clock.ts'
import { describeError, type Log } from '#platform/log/log.ts'
import { time } from './columns.ts'
import type { Database } from './database.ts'
import { statement } from './statement.ts'

const LOOK_EVERY_MS = 10_000
/** An answer that took longer says too little about when it was given. */
const LONGEST_LOOK_MS = 1_000
const NOTEWORTHY_MS = 5_000

export type DatabaseClock = Clock & { stop(): void }

export type DatabaseClockOptions = {
  db: Database
  log: Log
  /** What this machine believes: until the first look, and to tell how wrong it is. */
  own: Clock
  lookEveryMs?: number
}

/** A clock that shows the database's time. While the database is out of reach it runs on, or shows the machine's own. */
export async function keepDatabaseTime(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { db, log, own, lookEveryMs = LOOK_EVERY_MS } = options
  let aheadMs = own.now().getTime() - performance.now()
  let isOff = false

  async function look(): Promise<void> {
    const startedAt = performance.now()
    const { now } = await db.systemTransaction((tx) => readDatabaseTime.one(tx, {}))
    const tookMs = performance.now() - startedAt
    if (tookMs > LONGEST_LOOK_MS) return
    aheadMs = now.getTime() - (startedAt + tookMs / 2)
    tellIfOff(own.now().getTime() - now.getTime())
  }

  function tellIfOff(offMs: number): void {
    const wasOff = isOff
    isOff = Math.abs(offMs) > NOTEWORTHY_MS
    if (isOff && !wasOff)
      log.warn({ offSeconds: Math.round(offMs / 1000) }, 'the clock of this machine is wrong: the database’s counts')
  }

  const lookAgain = () =>
    look().catch((error: unknown) => log.debug({ error: describeError(error) }, 'the database’s time is unknown'))
  await lookAgain()
  const looking = setInterval(() => void lookAgain(), lookEveryMs)
  looking.unref()
  return { now: () => new Date(performance.now() + aheadMs), stop: () => clearInterval(looking) }
}

const readDatabaseTime = statement({
  name: 'readDatabaseTime',
  isGlobal: true,
  params: {},
  row: { now: time },
  sql: `select clock_timestamp() as now`,
})
