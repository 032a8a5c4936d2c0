import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test, type TestContext } from 'node:test'
import type { Database } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { BUCKETS } from './bucket.ts'
import { freeLeases, makeLeases } from './leases.ts'

describe('leases', () => {
  let database: TestDatabase
  let db: Database

  before(async () => {
    database = await createDatabase()
    db = database.open('countersign_worker')
  })
  beforeEach(() => freeLeases(db))
  after(() => database.drop())

  const idle = () => false

  /** Time goes on for this process as it does while it is paused or nothing answers it. */
  function skipTime(t: TestContext): (ms: number) => void {
    const now = performance.now.bind(performance)
    let skippedMs = 0
    t.mock.method(performance, 'now', () => now() + skippedMs)
    return (ms) => void (skippedMs += ms)
  }

  test('that are given to another worker count as gone before the database hears of it', async () => {
    const [one, two] = [makeLeases(db, newId()), makeLeases(db, newId())]
    await one.beat(idle)
    await two.beat(idle)
    assert.deepEqual([one.held().size, two.held().size], [BUCKETS, 0])
    const { promise: heldMeanwhile, resolve } = Promise.withResolvers<number>()
    await one.beat(() => {
      setImmediate(() => resolve(one.held().size))
      return false
    })
    assert.equal(await heldMeanwhile, BUCKETS / 2)
    assert.equal(one.held().size, BUCKETS / 2)
  })

  test('that a worker about to stop does not need count as gone before the database hears of it', async () => {
    const leases = makeLeases(db, newId())
    await leases.beat(idle)
    const { promise: heldMeanwhile, resolve } = Promise.withResolvers<number>()
    await leases.keep((bucket) => {
      setImmediate(() => resolve(leases.held().size))
      return bucket === 7
    })
    assert.equal(await heldMeanwhile, 1)
    assert.deepEqual([...leases.held().keys()], [7])
  })

  test('are not relied on any more shortly before they run out, until a heartbeat succeeds again', async (t) => {
    const skip = skipTime(t)
    const leases = makeLeases(db, newId())
    await leases.beat(idle)
    skip(6_000)
    assert.equal(leases.held().size, BUCKETS)
    skip(3_000)
    assert.equal(leases.held().size, 0)
    await leases.beat(idle)
    assert.equal(leases.held().size, BUCKETS)
  })

  test('count from the beginning of a heartbeat, however long it takes', async (t) => {
    const skip = skipTime(t)
    const leases = makeLeases(db, newId())
    let isSlow = true
    await leases.beat(() => {
      if (isSlow) skip(9_000)
      isSlow = false
      return false
    })
    assert.equal(leases.held().size, 0)
  })
})
