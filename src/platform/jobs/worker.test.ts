import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '#platform/clock.ts'
import { integer, uuid } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { newId } from '#platform/ids.ts'
import { makeLog } from '#platform/log/log.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { until as untilThere } from '../../../test/until.ts'
import { BUCKETS, bucketOf } from './bucket.ts'
import { enqueue, type NewJob } from './enqueue.ts'
import { freeLeases } from './leases.ts'
import { renewLeases, takeLeases } from './lease-statements.ts'
import type { JobHandler, JobRun } from './job-handler.ts'
import { RETRY_AFTER_S } from './retry-after.ts'
import { MOST_CLAIMS, startWorker, type Worker, type WorkerOptions } from './worker.ts'

/** Time stands still in a transaction, so that it is told exactly. */
const leftOfLeases = statement({
  name: 'testLeftOfLeases',
  isGlobal: true,
  params: { owner: uuid },
  row: { seconds: integer },
  sql: `select distinct date_part('epoch', expires_at - now())::int as seconds from bucket_lease where owner = :owner`,
})

describe('jobs', () => {
  let database: TestDatabase
  let requests: Database
  let db: Database
  const workers: Worker[] = []

  before(async () => {
    database = await createDatabase()
    requests = database.open()
    db = database.open('countersign_worker')
  })
  beforeEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    await database.asOwner(`delete from job`)
    await database.asOwner('delete from worker')
    await database.asOwner(`update bucket_lease set owner = null, expires_at = '-infinity'`)
  })
  after(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    await database.drop()
  })

  function start(handlers: JobHandler[], atOnce = 8, more: Partial<WorkerOptions> = {}): Worker {
    const worker = startWorker({ db, clock: systemClock, log: makeLog('silent', 'test'), handlers, atOnce, ...more })
    workers.push(worker)
    return worker
  }

  const write = (job: Partial<NewJob> & { tenantId: string }) =>
    requests.transaction(job.tenantId, (tx) => enqueue(tx, { queue: 'test', payload: {}, now: new Date(), ...job }))

  const until = (isSo: () => boolean | Promise<boolean>) => untilThere('what should happen', async () => isSo())

  test('run once they are committed, and leave nothing behind', async () => {
    const seen: unknown[] = []
    start([{ queue: 'test', run: async (job) => void seen.push(job.payload) }])
    await write({ tenantId: newId(), payload: { n: 1 } })
    await until(() => seen.length === 1)
    assert.deepEqual(seen, [{ n: 1 }])
    await until(async () => (await database.asOwner('select from job')).length === 0)
  })

  test('of one tenant wait for few of another, however many those are', async () => {
    const many = newId()
    let few = newId()
    while (bucketOf(few) === bucketOf(many)) few = newId()
    const earlier = new Date(Date.now() - 1_000)
    for (let count = 0; count < 100; count++) await write({ tenantId: many, now: earlier })
    await write({ tenantId: few })
    const ran: string[] = []
    start([{ queue: 'test', run: async ({ tenantId }) => void ran.push(tenantId) }], 2)
    await until(() => ran.length === 101)
    assert.ok(ran.indexOf(few) < 3, `${ran.indexOf(few)} ran before it`)
  })

  test('of a transaction that is rolled back never run', async () => {
    const seen: unknown[] = []
    const worker = start([{ queue: 'test', run: async (job) => void seen.push(job.payload) }])
    const tenantId = newId()
    await assert.rejects(
      requests.transaction(tenantId, async (tx) => {
        await enqueue(tx, { tenantId, queue: 'test', payload: {}, now: new Date() })
        throw new Error('no')
      }),
    )
    await until(() => worker.holds(bucketOf(tenantId)))
    worker.wake()
    await sleep(50)
    assert.deepEqual(seen, [])
  })

  test('with the same key run one after the other, in the order in which they were written', async () => {
    const tenantId = newId()
    const seen: unknown[] = []
    let atOnce = 0
    for (let n = 0; n < 5; n++) await write({ tenantId, key: 'k', payload: { n } })
    start([
      {
        queue: 'test',
        async run(job) {
          assert.equal(++atOnce, 1)
          await sleep(5)
          seen.push(job.payload.n)
          atOnce--
        },
      },
    ])
    await until(() => seen.length === 5)
    assert.deepEqual(seen, [0, 1, 2, 3, 4])
  })

  test('that fail wait longer each time, keep their error, and are dead in the end', async () => {
    const tenantId = newId()
    await write({ tenantId })
    const startedAt = Date.now()
    start([{ queue: 'test', run: () => Promise.reject(new Error('the other side is down')) }])
    const waiting = await untilThere('the first failure', async () => {
      const [row] = await database.asOwner('select run_at, last_error, state from job where attempt = 1')
      return row
    })
    assert.equal(waiting.last_error, 'the other side is down')
    assert.equal(waiting.state, 'waiting')
    // It failed at some moment between the start and now.
    const runAt = (waiting.run_at as Date).getTime()
    assert.ok(runAt > startedAt + 3_000 && runAt < Date.now() + 6_000, `retried at ${new Date(runAt).toISOString()}`)
    await database.asOwner('update job set attempt = $1, run_at = now()', [RETRY_AFTER_S.length])
    await until(async () => (await database.asOwner(`select from job where state = 'dead'`)).length === 1)
  })

  test('are tried for two days, and at least every hour: so soon they go on once the other side is back', () => {
    assert.ok(Math.max(...RETRY_AFTER_S) <= 3600)
    assert.ok(RETRY_AFTER_S.reduce((sum, seconds) => sum + seconds) >= 2 * 24 * 3600)
  })

  test('that end their process are given up after twenty times, and whoever waits for them is told', async () => {
    const tenantId = newId()
    const earlier = new Date(Date.now() - 60_000)
    await write({ tenantId, now: earlier })
    let begun = 0
    const told: string[] = []
    const { promise: theEnd, resolve: end } = Promise.withResolvers<void>()
    // A process that is killed records nothing: here the handler simply does not come to its end.
    const handler: JobHandler = {
      queue: 'test',
      run: async () => {
        begun++
        await theEnd
      },
      giveUp: async (_job, reason) => void told.push(reason),
    }
    for (let time = 1; time <= MOST_CLAIMS; time++) {
      start([handler])
      await until(() => begun === time)
      const [job] = await database.asOwner('select claims, attempt from job')
      assert.deepEqual(job, { claims: time, attempt: 0 })
      await database.asOwner(
        `update bucket_lease set owner = null, generation = generation + 1, expires_at = '-infinity'`,
      )
      await database.asOwner('delete from worker')
    }
    start([handler])
    await until(async () => (await database.asOwner(`select from job where state = 'dead'`)).length === 1)
    const [dead] = await database.asOwner('select last_error from job')
    assert.match(String(dead!.last_error), /ended 20 times/)
    assert.deepEqual(told, [dead!.last_error])
    assert.equal(begun, MOST_CLAIMS)
    end()
  })

  test('that are younger than their worker are begun without being written down first', async () => {
    const tenantId = newId()
    let seen: unknown
    const worker = start([
      { queue: 'test', run: async () => void ([seen] = await database.asOwner('select claims from job')) },
    ])
    await until(() => worker.holds(bucketOf(tenantId)))
    await write({ tenantId, now: new Date(Date.now() + 5) })
    await until(() => seen !== undefined)
    assert.deepEqual(seen, { claims: 0 })
  })

  test('that somebody waits for go before the rest', async () => {
    const seen: string[] = []
    const tenantId = newId()
    for (let n = 0; n < 4; n++) await write({ tenantId, queue: 'bulk' })
    await write({ tenantId, queue: 'urgent' })
    const handler = (queue: string, isInteractive: boolean): JobHandler => ({
      queue,
      isInteractive,
      run: async () => void seen.push(queue),
    })
    start([handler('bulk', false), handler('urgent', true)], 1)
    await until(() => seen.length === 5)
    assert.equal(seen[0], 'urgent')
  })

  test('that nobody waits for give way while somebody waits, and go on when nobody does', async () => {
    const tenantId = newId()
    const seen: string[] = []
    const { promise: isDone, resolve: end } = Promise.withResolvers<void>()
    const { promise: isUrgent, resolve: nowUrgent } = Promise.withResolvers<void>()
    start([
      {
        queue: 'bulk',
        async run(job) {
          seen.push('bulk begins')
          await isUrgent
          await job.giveWay()
          seen.push('bulk goes on')
        },
      },
      {
        queue: 'urgent',
        isInteractive: true,
        async run() {
          nowUrgent()
          await isDone
          seen.push('urgent ends')
        },
      },
    ])
    await write({ tenantId, queue: 'bulk' })
    await until(() => seen.length === 1)
    await write({ tenantId, queue: 'urgent' })
    await isUrgent
    end()
    await until(() => seen.length === 3)
    assert.deepEqual(seen, ['bulk begins', 'urgent ends', 'bulk goes on'])
  })

  test('that nobody waits for go on in the end, however long somebody waits', async () => {
    const tenantId = newId()
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const goneOn: unknown[] = []
    let isUrgentBegun = false
    const bulk = async (job: JobRun) => {
      await until(() => isUrgentBegun)
      for (let step = 0; step < 3; step++) await job.giveWay()
      goneOn.push(job.payload)
    }
    const urgent = async () => {
      isUrgentBegun = true
      await isOver
    }
    start([
      { queue: 'bulk', run: bulk },
      { queue: 'urgent', isInteractive: true, run: urgent },
    ])
    for (const number of [1, 2]) await write({ tenantId, queue: 'bulk', payload: { number } })
    await write({ tenantId, queue: 'urgent' })
    await until(() => goneOn.length === 2)
    end()
  })

  test('that somebody waits for go before the steps of work that is no job, each time, but not for ever', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    let isUrgentBegun = false
    const urgent = async () => {
      isUrgentBegun = true
      await isOver
    }
    const worker = start([{ queue: 'urgent', isInteractive: true, run: urgent }])
    await write({ tenantId: newId(), queue: 'urgent' })
    await until(() => isUrgentBegun)
    const startedAt = performance.now()
    for (let step = 0; step < 3; step++) await worker.giveWay()
    const waitedMs = performance.now() - startedAt
    end()
    assert.ok(waitedMs >= 140, `each step has waited, ${waitedMs} ms in all`)
  })

  test('are a worker’s for ten seconds from its last sign of life', async () => {
    const owner = newId()
    const taken = await db.systemTransaction(async (tx) => {
      await takeLeases.many(tx, { owner, most: BUCKETS })
      return leftOfLeases.many(tx, { owner })
    })
    assert.deepEqual(taken, [{ seconds: 10 }])
    await database.asOwner(`update bucket_lease set expires_at = now() + interval '1 hour'`)
    const renewed = await db.systemTransaction(async (tx) => {
      await renewLeases.many(tx, { owner })
      return leftOfLeases.many(tx, { owner })
    })
    assert.deepEqual(renewed, [{ seconds: 10 }])
  })

  test('of a worker that is gone are taken over when its leases run out', async () => {
    const tenantId = newId()
    await database.asOwner(
      `update bucket_lease set owner = $1, generation = 7, expires_at = now() + interval '1 hour'`,
      [newId()],
    )
    await write({ tenantId })
    const seen: unknown[] = []
    start([{ queue: 'test', run: async () => void seen.push(1) }])
    await sleep(300)
    assert.deepEqual(seen, [], 'the leases of the other worker still hold')
    await database.asOwner('update bucket_lease set expires_at = now()')
    await until(() => seen.length === 1)
  })

  test('of a worker that was the only one are taken over at once, and it can’t end them any more', async () => {
    const tenantId = newId()
    await write({ tenantId })
    const { promise: isReplaced, resolve: replace } = Promise.withResolvers<void>()
    const ends: string[] = []
    let begun = 0
    start([
      {
        queue: 'test',
        async run(job) {
          begun++
          await isReplaced
          await db.transaction(tenantId, (tx) => job.finish(tx)).catch((error: Error) => ends.push(error.message))
        },
      },
    ])
    await until(() => begun === 1)
    await freeLeases(db)
    let isDone = false
    start([{ queue: 'test', run: async () => void (isDone = true) }])
    await until(() => isDone)
    replace()
    await until(() => ends.length === 1)
    assert.match(ends[0]!, /lease/)
    assert.equal(begun, 1)
  })

  test('finished by a worker that lost its lease in between stay as they are', async () => {
    const tenantId = newId()
    await write({ tenantId })
    let isTried = false
    start([
      {
        queue: 'test',
        async run(job) {
          await database.asOwner(
            `update bucket_lease set owner = $1, generation = generation + 1, expires_at = now() + interval '1 minute'`,
            [newId()],
          )
          await assert.rejects(
            db.transaction(tenantId, (tx) => job.finish(tx)),
            /lease/,
          )
          isTried = true
        },
      },
    ])
    await until(() => isTried)
    await sleep(50)
    const [job] = await database.asOwner('select attempt, state from job')
    assert.deepEqual(job, { attempt: 0, state: 'waiting' })
  })

  test('whose lease is lost before they were begun are left to whoever has it', async () => {
    const tenantId = newId()
    await write({ tenantId })
    const begun: unknown[] = []
    let isSettled = false
    const settle = async () => {
      await database.asOwner(
        `update bucket_lease set owner = $1, generation = generation + 1, expires_at = now() + interval '1 minute'`,
        [newId()],
      )
      await until(() => worker.held().size === 0)
      isSettled = true
    }
    const worker = start([{ queue: 'test', run: async (job) => void begun.push(job) }], 8, { settle })
    await until(() => isSettled)
    await worker.stop()
    assert.deepEqual(begun, [])
    assert.deepEqual(await database.asOwner('select attempt, state from job'), [{ attempt: 0, state: 'waiting' }])
  })

  test('are shared evenly between two workers, and none is served by both', async () => {
    const first = start([{ queue: 'test', run: async () => {} }])
    await until(() => first.holds(0) && first.holds(BUCKETS - 1))
    const second = start([{ queue: 'test', run: async () => {} }])
    await until(() => first.held().size === BUCKETS / 2 && second.held().size === BUCKETS / 2)
    assert.equal(new Set([...first.held().keys(), ...second.held().keys()]).size, BUCKETS)
  })

  test('that run when the worker stops are waited for, and its buckets are free at once', async () => {
    const tenantId = newId()
    await write({ tenantId })
    let isDone = false
    let isBegun = false
    const worker = start([
      {
        queue: 'test',
        async run() {
          isBegun = true
          await sleep(100)
          isDone = true
        },
      },
    ])
    await until(() => isBegun)
    await worker.stop()
    assert.ok(isDone)
    const [row] = await database.asOwner('select count(*)::int as held from bucket_lease where expires_at > now()')
    assert.equal(row!.held, 0)
  })

  test('that run for longer than a lease while the worker stops are begun by no other, which has the rest at once', async (t) => {
    const slow = newId()
    const next = tenantElsewhere(bucketOf(slow))
    await write({ tenantId: slow })
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    t.after(() => end())
    const begun: string[] = []
    const handler = (name: string): JobHandler => ({
      queue: 'test',
      async run({ tenantId }) {
        begun.push(`${tenantId} by ${name}`)
        if (tenantId === slow) await isOver
      },
    })
    const first = start([handler('first')])
    await until(() => begun.length === 1)
    const second = start([handler('second')])
    await second.isUp
    const stopped = first.stop()
    const stoppedAt = performance.now()
    await write({ tenantId: next })
    await until(() => second.held().size === BUCKETS - 1)
    await until(() => performance.now() > stoppedAt + 12_000)
    assert.deepEqual(begun, [`${slow} by first`, `${next} by second`])
    end()
    await stopped
    assert.deepEqual(await database.asOwner('select from job'), [], 'what it ended is recorded')
  })

  test('are not taken any more while something is being ended beside them, whose bucket is kept until then', async (t) => {
    const { promise: isEnded, resolve: end } = Promise.withResolvers<void>()
    t.after(() => end())
    const seen: unknown[] = []
    const isBusyBeside = (bucket: number) => bucket === 5
    const worker = start([{ queue: 'test', run: async (job) => void seen.push(job) }], 8, { isBusyBeside })
    await worker.isUp
    const stopped = worker.stop(isEnded)
    await write({ tenantId: newId() })
    worker.wake()
    const held = async () => {
      const rows = await database.asOwner('select bucket from bucket_lease where expires_at > now()')
      return rows.map(({ bucket }) => bucket)
    }
    await until(async () => (await held()).length < BUCKETS)
    await sleep(100)
    assert.deepEqual(await held(), [5])
    end()
    await stopped
    assert.deepEqual([await held(), seen], [[], []])
  })
})

/** Of another bucket than this one. */
function tenantElsewhere(bucket: number): string {
  for (;;) {
    const id = newId()
    if (bucketOf(id) !== bucket) return id
  }
}
