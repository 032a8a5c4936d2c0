import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { startDatabaseProxy, type DatabaseProxy } from '../../../test/fakes/database-proxy.ts'
import { until } from '../../../test/until.ts'
import { integer, text } from './columns.ts'
import { isOutOfReach, openDatabase, type Database, type Tx } from './database.ts'
import { statement } from './statement.ts'

const sleep = statement({
  name: 'testSleep',
  isGlobal: true,
  params: { seconds: integer },
  row: { slept: text },
  sql: `select pg_sleep(:seconds::int)::text as slept`,
})

/** Silence is known after seven looks, a connection given up after sixty. */
const [QUICK_MS, USUAL_MS] = [150, 500]
const CHANNEL = 'silence_test'

describe('a server that says nothing', () => {
  let database: TestDatabase
  let proxy: DatabaseProxy
  const opened: Database[] = []

  before(async () => {
    database = await createDatabase()
    proxy = await startDatabaseProxy(database.connection)
  })
  afterEach(async () => {
    proxy.heal()
    await Promise.all(opened.splice(0).map((db) => db.close()))
  })
  after(async () => {
    await proxy.stop()
    await database.drop()
  })

  function open(poolSize: number, lookEveryMs: number): Database {
    const { connection } = proxy
    const db = openDatabase({
      connection,
      role: 'countersign_request',
      poolSize,
      lookEveryMs,
      onConnectionError: () => {},
    })
    opened.push(db)
    return db
  }

  const nap = (tx: Tx) => sleep.one(tx, { seconds: 0 })
  const isAnswered = (db: Database) =>
    db.systemTransaction(nap).then(
      () => true,
      () => false,
    )

  test('because it is at work is waited for', async () => {
    const db = open(2, USUAL_MS)
    await Promise.all([db.systemTransaction((tx) => sleep.one(tx, { seconds: 6 })), db.systemTransaction(nap)])
  })

  test('fails what waits for it and what comes, and is used as soon as it is heard', async () => {
    const db = open(1, QUICK_MS)
    await db.systemTransaction(nap)
    proxy.fallSilent()
    const [first, second] = await Promise.allSettled([db.systemTransaction(nap), db.systemTransaction(nap)])
    for (const outcome of [first, second]) assert.ok(outcome.status === 'rejected' && isOutOfReach(outcome.reason))
    const askedAt = performance.now()
    await assert.rejects(db.systemTransaction(nap), isOutOfReach)
    assert.ok(performance.now() - askedAt < QUICK_MS, 'nobody waits for it any more')
    proxy.heal()
    await until('an answer', () => isAnswered(db))
  })

  test('to a rollback does not keep the connection', async () => {
    const db = open(1, QUICK_MS)
    const refusal = new Error('refused')
    const refused = db.systemTransaction(async (tx) => {
      await nap(tx)
      proxy.fallSilent()
      throw refusal
    })
    await assert.rejects(refused, refusal)
    proxy.heal()
    await until('an answer', () => isAnswered(db))
  })

  test('on connections that were forgotten loses those, while others are used', async () => {
    const db = open(2, QUICK_MS)
    const { promise: wasForgotten, resolve: tell } = Promise.withResolvers<void>()
    const forgotten = db.systemTransaction(async (tx) => {
      await nap(tx)
      proxy.forget()
      tell()
      await nap(tx)
    })
    const failed = assert.rejects(forgotten, isOutOfReach)
    await wasForgotten
    await until('an answer to others', () => isAnswered(db))
    await failed
    await until('all places to be free', async () =>
      (await Promise.all([isAnswered(db), isAnswered(db)])).every(Boolean),
    )
  })

  test('to who begins to listen is asked again', async () => {
    const db = open(2, USUAL_MS)
    proxy.fallSilent()
    let isHeard = false
    const stopListening = db.listen(CHANNEL, () => (isHeard = true))
    await until('a failed call', async () => !(await isAnswered(db)))
    proxy.forget()
    proxy.heal()
    await until(
      'an announcement',
      async () => {
        await db.systemTransaction(async (tx) => tx.announce(CHANNEL, 'something')).catch(() => {})
        return isHeard
      },
      { everyMs: 100 },
    )
    stopListening()
  })
})
