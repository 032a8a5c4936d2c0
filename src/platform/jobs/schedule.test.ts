import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#platform/db/database.ts'
import { makeLog } from '#platform/log/log.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { startSchedule } from './schedule.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const LOOK_EVERY_MS = 5

describe('a task that recurs', () => {
  let database: TestDatabase
  let db: Database
  let now: Date
  let logged: string[]
  const schedules: ReturnType<typeof startSchedule>[] = []

  before(async () => {
    database = await createDatabase()
    db = database.open('countersign_worker')
  })
  beforeEach(async () => {
    await database.asOwner('delete from schedule')
    now = new Date('2026-01-01T00:00:00Z')
    logged = []
  })
  afterEach(async () => {
    await Promise.all(schedules.splice(0).map((schedule) => schedule.stop()))
  })
  after(() => database.drop())

  const advance = (ms: number) => void (now = new Date(now.getTime() + ms))
  const log = makeLog('info', 'test', { write: (line: string) => void logged.push(line) })

  function start(run: () => Promise<void>, on = db) {
    const tasks = [{ name: 'sweep', everyMs: HOUR_MS, run }]
    const clock = { now: () => now }
    const schedule = startSchedule({ db: on, clock, log, tasks, isMine: () => true, lookEveryMs: LOOK_EVERY_MS })
    schedules.push(schedule)
    return schedule
  }

  /** After several looks. */
  const amountSoon = async (runs: unknown[]) => {
    await sleep(100)
    return runs.length
  }

  test('and fails is due again within minutes, after longer each time, and in its interval at the latest', async () => {
    const runs: Date[] = []
    let isBroken = true
    start(async () => {
      runs.push(now)
      if (isBroken) throw new Error('the other side is down')
    })
    await until('the first run', async () => runs.length === 1)
    let amount = 1
    for (const pauseMs of [5, 10, 20, 40, 60, 60].map((minutes) => minutes * MINUTE_MS)) {
      await until('the failure in the log', async () => logged.length === amount)
      advance(pauseMs - 1000)
      assert.equal(await amountSoon(runs), amount, `not before ${pauseMs} ms`)
      advance(1000)
      amount++
      await until('the next run', async () => runs.length === amount)
    }
    assert.ok(logged.every((line) => line.includes('a recurring task failed') && line.includes('sweep')))

    isBroken = false
    await until('the last failure in the log', async () => logged.length === amount)
    advance(HOUR_MS)
    await until('a run that succeeds', async () => runs.length === amount + 1)
    advance(30 * MINUTE_MS)
    assert.equal(await amountSoon(runs), amount + 1, 'nothing is left to do until its time comes')
  })

  test('and fails because the database is away is due again once that is back', async () => {
    let isAway = false
    const failing: Database = {
      ...db,
      systemTransaction: (work, options) =>
        isAway ? Promise.reject(new Error('no database')) : db.systemTransaction(work, options),
    }
    let runs = 0
    start(async () => {
      runs++
      if (runs > 1) return
      isAway = true
      throw new Error('no database')
    }, failing)
    await until('looks that fail', async () => logged.some((line) => line.includes('looking for recurring tasks')))
    isAway = false
    await until('the database to know of it', async () => {
      const [row] = await database.asOwner('select last_run_at from schedule')
      return (row!.last_run_at as Date) < now
    })
    advance(5 * MINUTE_MS)
    await until('the second run', async () => runs === 2)
  })

  test('and is broken off by a stop goes on at once wherever the next worker is', async () => {
    const stopping = new AbortController()
    let isBegun = false
    const schedule = start(async () => {
      isBegun = true
      while (!stopping.signal.aborted) await sleep(1)
      stopping.signal.throwIfAborted()
    })
    await until('the first run', async () => isBegun)
    stopping.abort()
    await schedule.stop()
    assert.ok(!logged.some((line) => line.includes('failed')))
    let isGoneOn = false
    start(async () => void (isGoneOn = true))
    await until('the next run', async () => isGoneOn)
  })
})
