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
/** An answer is right to half the time that it took. A slow one is asked for again, so that processes agree. */
const PRECISE_LOOK_MS = 20
const MOST_LOOKS = 5
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
    let best: Look | undefined
    for (let looks = 0; looks < MOST_LOOKS && (best?.tookMs ?? Infinity) > PRECISE_LOOK_MS; looks++) {
      const found = await lookOnce(db)
      if (best === undefined || found.tookMs < best.tookMs) best = found
    }
    if (best === undefined || best.tookMs > LONGEST_LOOK_MS) return
    aheadMs = best.aheadMs
    tellIfOff(own.now().getTime() - (performance.now() + aheadMs))
  }

  /** Never earlier than it was: what was a little ahead stands still until it is right. One that was set back is followed. */
  let shownMs = 0
  function now(): Date {
    const rightMs = performance.now() + aheadMs
    if (rightMs > shownMs || shownMs - rightMs > NOTEWORTHY_MS) shownMs = rightMs
    return new Date(shownMs)
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
  return { now, stop: () => clearInterval(looking) }
}

/** How far the database's time is ahead of the monotonic clock, and how long the answer took. */
type Look = { aheadMs: number; tookMs: number }

async function lookOnce(db: Database): Promise<Look> {
  const startedAt = performance.now()
  const { now } = await db.systemTransaction((tx) => readDatabaseTime.one(tx, {}))
  const tookMs = performance.now() - startedAt
  return { aheadMs: now.getTime() - (startedAt + tookMs / 2), tookMs }
}

const readDatabaseTime = statement({
  name: 'readDatabaseTime',
  isGlobal: true,
  params: {},
  row: { now: time },
  sql: `select clock_timestamp() as now`,
})
