import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
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
