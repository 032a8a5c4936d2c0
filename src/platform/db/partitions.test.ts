import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { lowestIdAt, newId } from '#platform/ids.ts'
import { getTestCluster } from '../../../test/cluster.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { startDatabaseProxy } from '../../../test/fakes/database-proxy.ts'
import { until } from '../../../test/until.ts'
import { listIsolationFaults } from './catalogue.ts'
import { migrate } from './migrate.ts'
import { keepPartitions } from './partitions.ts'

const DAY_MS = 86_400_000
const TENANT = newId()

type Ask = (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/** One delivery with one try, both as old as that. */
async function insertDelivery(ask: Ask, at: Date): Promise<string> {
  const id = lowestIdAt(at).slice(0, 24) + newId().slice(24)
  await ask(
    `insert into hook_delivery (tenant_id, subscription_id, id, request_id, sequence, payload, state, created_at)
     values ($1, $1, $2, $2, 1, '{}', 'waiting', $3)`,
    [TENANT, id, at],
  )
  await ask(
    `insert into hook_attempt (tenant_id, subscription_id, delivery_id, number, at, duration_ms)
     values ($1, $1, $2, 1, $3, 5)`,
    [TENANT, id, at],
  )
  return id
}

const placesOf = async (ask: Ask, table: string, at: Date): Promise<string[]> => {
  const column = table === 'hook_attempt' ? 'at' : 'created_at'
  const rows = await ask(`select tableoid::regclass::text as place from ${table} where ${column} = $1`, [at])
  return rows.map(({ place }) => place as string)
}

function monthAfter(at: Date): string {
  const next = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
  return `hook_delivery_${next.toISOString().slice(0, 7).replace('-', '_')}`
}

describe('partitions', () => {
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
  })
  after(() => database.drop())

  const ask: Ask = (sql, values) => database.asOwner(sql, values)
  const partitionsOf = async (parent: string) =>
    (
      await ask(`select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass`, [parent])
    ).map(({ name }) => name as string)

  test('take each row by its time: deliveries a month, tries a week, and one partition the rest', async () => {
    const now = new Date()
    await insertDelivery(ask, now)
    const month = now.toISOString().slice(0, 7).replace('-', '_')
    assert.deepEqual(await placesOf(ask, 'hook_delivery', now), [`hook_delivery_${month}`])
    const monday = new Date(now.getTime() - ((now.getUTCDay() + 6) % 7) * DAY_MS)
    const week = monday.toISOString().slice(0, 10).replaceAll('-', '_')
    assert.deepEqual(await placesOf(ask, 'hook_attempt', now), [`hook_attempt_${week}`])
    const longAgo = new Date(now.getTime() - 1000 * DAY_MS)
    await insertDelivery(ask, longAgo)
    assert.deepEqual(await placesOf(ask, 'hook_delivery', longAgo), ['hook_delivery_other'])
    assert.deepEqual(await placesOf(ask, 'hook_attempt', longAgo), ['hook_attempt_other'])
  })

  test('are made ahead, and go with all that is in them once nothing of it is kept', async () => {
    const start = new Date()
    const later = new Date(start.getTime() + 200 * DAY_MS)
    await insertDelivery(ask, start)
    await keepPartitions(database.connection, new Date(start.getTime() + 20 * DAY_MS))
    assert.equal((await placesOf(ask, 'hook_delivery', start)).length, 1, 'deliveries are kept for 90 days')
    assert.equal((await placesOf(ask, 'hook_attempt', start)).length, 1, 'tries for 30')
    await keepPartitions(database.connection, new Date(start.getTime() + 45 * DAY_MS))
    assert.equal((await placesOf(ask, 'hook_delivery', start)).length, 1)
    assert.equal((await placesOf(ask, 'hook_attempt', start)).length, 0)
    await keepPartitions(database.connection, later)
    assert.equal((await placesOf(ask, 'hook_delivery', start)).length, 0)
    const [left] = await ask(
      'select (select count(*) from hook_delivery)::int + (select count(*) from hook_attempt)::int as n',
    )
    assert.equal(left!['n'], 0, 'also what no partition was made for')
    const [deliveries, tries] = [await partitionsOf('hook_delivery'), await partitionsOf('hook_attempt')]
    assert.ok(deliveries.length <= 6 && tries.length <= 9, `${deliveries.length} and ${tries.length}`)
    assert.ok(deliveries.includes(monthAfter(later)))
    assert.ok((await partitionsOf('event')).length > 27, 'events stay')
  })

  test('are out of reach of the runtime roles, and closed by themselves', async () => {
    const client = new pg.Client(database.connection)
    await client.connect()
    try {
      assert.deepEqual(await listIsolationFaults(client), [])
      await client.query('begin')
      await client.query('set local role countersign_worker')
      await assert.rejects(client.query('select from hook_delivery_other'), /permission denied/)
      await client.query('rollback')
      await client.query('begin')
      await client.query('alter table hook_attempt_other no force row level security')
      assert.match((await listIsolationFaults(client)).join(), /not enabled and forced.*hook_attempt_other/)
      await client.query('rollback')
    } finally {
      await client.end()
    }
  })

  test('wait for nobody who reads for long: the next run makes them', async () => {
    const reader = new pg.Client(database.connection)
    await reader.connect()
    const inAYear = new Date(Date.now() + 365 * DAY_MS)
    try {
      await reader.query('begin; lock table hook_delivery in access share mode')
      await assert.rejects(keepPartitions(database.connection, inAYear), /lock timeout/)
      await insertDelivery(ask, new Date())
    } finally {
      await reader.end()
    }
    await keepPartitions(database.connection, inAYear)
    assert.ok((await partitionsOf('hook_delivery')).includes(monthAfter(inAYear)))
  })

  test('wait for no server that says nothing: the tasks behind them have their turn', async () => {
    const proxy = await startDatabaseProxy(database.connection)
    proxy.fallSilent()
    await assert.rejects(keepPartitions(proxy.connection, new Date()), /timeout expired/)
    await proxy.stop()
  })

  test('are let go by a server that does not hear the end of it', async () => {
    const proxy = await startDatabaseProxy(database.connection)
    proxy.latencyMs = 200
    const idle = () =>
      ask(`select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`)
    const kept = keepPartitions(proxy.connection, new Date()).catch((error: Error) => error)
    await until('the upkeep to have begun', async () => (await idle()).length > 0)
    proxy.forget()
    await until('its session to be gone', async () => (await idle()).length === 0, { withinMs: 20_000 })
    await proxy.stop()
    assert.ok((await kept) instanceof Error)
  })

  test('take over what was there before them, also for an owner that is no superuser', async () => {
    const { connection } = getTestCluster()
    const owner = `owner_of_${database.name}`
    const own = { ...connection, database: owner, user: owner, password: 'secret' }
    await ask(`create role ${owner} login password 'secret' nosuperuser`)
    await ask(`grant countersign_request, countersign_worker to ${owner}`)
    await ask(`create database ${owner} owner ${owner}`)
    const superuser = new pg.Client({ ...connection, database: owner })
    const asSuperuser: Ask = async (sql, values) => (await superuser.query(sql, values)).rows
    try {
      await migrate(own, new Date(), { upTo: 34 })
      await superuser.connect()
      const [now, old] = [new Date(), new Date(Date.now() - 80 * DAY_MS)]
      for (const at of [now, old]) await insertDelivery(asSuperuser, at)
      await migrate(own, new Date())
      assert.deepEqual(await listIsolationFaults(superuser), [])
      for (const at of [now, old]) {
        const [place, ...others] = await placesOf(asSuperuser, 'hook_delivery', at)
        assert.match(place!, /^hook_delivery_\d{4}_\d\d$/)
        assert.deepEqual(others, [])
      }
      assert.equal((await asSuperuser('select from hook_attempt')).length, 2)
      await keepPartitions(own, new Date())
      assert.equal((await asSuperuser('select from hook_attempt')).length, 1)
      assert.equal((await asSuperuser('select from hook_delivery')).length, 2)
    } finally {
      await superuser.end()
      await ask(`drop database if exists ${owner} with (force)`)
      await ask(`drop role ${owner}`)
    }
  })
})
