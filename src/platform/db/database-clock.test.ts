import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeLog } from '#platform/log/log.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { keepDatabaseTime } from './database-clock.ts'
import type { Database } from './database.ts'

const HOUR_MS = 3_600_000

describe('the database’s time', () => {
  let database: TestDatabase
  let db: Database
  const log = makeLog('silent', 'test')

  before(async () => {
    database = await createDatabase()
    db = database.open()
  })
  after(() => database.drop())

  const offMs = (clock: { now(): Date }) => Math.abs(clock.now().getTime() - Date.now())

  test('counts on a machine whose own clock is wrong', async () => {
    for (const wrongByMs of [5 * HOUR_MS, -5 * HOUR_MS]) {
      const own = { now: () => new Date(Date.now() + wrongByMs) }
      const clock = await keepDatabaseTime({ db, log, own })
      assert.ok(offMs(clock) < 2_000, `${offMs(clock)} ms`)
      clock.stop()
    }
  })

  test('is not moved by a clock that is set while it runs', async () => {
    let movedMs = 0
    const clock = await keepDatabaseTime({ db, log, own: { now: () => new Date(Date.now() + movedMs) } })
    movedMs = -7 * HOUR_MS
    assert.ok(offMs(clock) < 2_000)
    clock.stop()
  })

  test('is asked for again where an answer was late', async () => {
    let answers = 0
    const late: Database = {
      ...db,
      systemTransaction: async (work) => {
        const answer = await db.systemTransaction(work)
        if (answers++ === 0) await sleep(900)
        return answer
      },
    }
    const clock = await keepDatabaseTime({ db: late, log, own: { now: () => new Date() } })
    assert.ok(answers > 1)
    assert.ok(offMs(clock) < 400, `${offMs(clock)} ms: the late answer is wrong by 450`)
    clock.stop()
  })

  test('never goes back by a little, and follows a database that was set back by much', async () => {
    let aheadMs = 2_000
    const moved: Database = {
      ...db,
      systemTransaction: async (work) => {
        const answer = (await db.systemTransaction(work)) as { now: Date }
        return { now: new Date(answer.now.getTime() + aheadMs) } as never
      },
    }
    const clock = await keepDatabaseTime({ db: moved, log, own: { now: () => new Date() }, lookEveryMs: 20 })
    const before = clock.now()
    aheadMs = 0
    await sleep(300)
    assert.ok(clock.now() >= before)
    aheadMs = -HOUR_MS
    await until('the time that was set', async () => clock.now() < before)
    clock.stop()
  })

  test('is the machine’s own while the database is out of reach, and the database’s once it is back', async () => {
    let isAway = true
    const distant: Database = {
      ...db,
      systemTransaction: (work) => (isAway ? Promise.reject(new Error('away')) : db.systemTransaction(work)),
    }
    const own = { now: () => new Date(Date.now() + HOUR_MS) }
    const clock = await keepDatabaseTime({ db: distant, log, own, lookEveryMs: 20 })
    assert.ok(Math.abs(offMs(clock) - HOUR_MS) < 2_000)
    isAway = false
    await until('the right time', async () => offMs(clock) < 2_000)
    clock.stop()
  })
})
