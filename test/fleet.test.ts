// Several servers and workers on one database and one store. A longer run, with a real store: npm run proof:s3.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createDatabase, type TestDatabase } from './database.ts'
import { findDoubles } from './doubles.ts'
import { signMany, startFlakyStore, startFleet, type Fleet } from './fleet.ts'
import { until } from './until.ts'

const REQUESTS = 4
const EVENTS_EACH = 3

describe('several servers and workers', () => {
  let database: TestDatabase
  let store: Awaited<ReturnType<typeof startFlakyStore>>
  let fleet: Fleet
  const ids: string[] = []

  before(async () => {
    database = await createDatabase()
    store = await startFlakyStore()
    fleet = await startFleet({ database, store, servers: 2, workers: 2 })
  })
  after(async () => {
    await fleet.stop()
    await store.stop()
    await database.drop()
  })

  test('share the work, though the store fails now and then', async () => {
    ids.push(...(await signMany(fleet, REQUESTS)))
    await until('a share of the work for each worker', async () => {
      const [{ owners }] = (await database.asOwner(
        'select count(distinct owner)::int as owners from bucket_lease where expires_at > now()',
      )) as [{ owners: number }]
      return owners === 2
    })
    assert.ok(store.s3.requests.length > REQUESTS * 3)
  })

  test('do nothing twice: one message for each reason, one signature and one seal in each document', async () => {
    assert.deepEqual(await findDoubles({ database, fleet }), [])
    assert.ok(fleet.mail.received.length >= REQUESTS)
    assert.equal(new Set(fleet.mail.received.map(({ raw }) => raw)).size, fleet.mail.received.length)
  })

  test('would be noticed if they did', async () => {
    const { received } = fleet.mail
    fleet.mail.received = [...received, { ...received[0]!, headers: { 'message-id': ['<another@example.com>'] } }]
    assert.match((await findDoubles({ database, fleet })).join(), /messages, by Message-ID/)
    fleet.mail.received = received
  })

  test('deliver every event, under one id and in its order', async () => {
    const of = (id: string) =>
      fleet.receiver.received
        .map(({ headers, body }) => ({ id: headers['webhook-id'], ...JSON.parse(body) }))
        .filter(({ EventData }) => EventData.SignatureRequestId === id)
    for (const id of ids) {
      const deliveries = new Map(of(id).map((delivery) => [delivery.id, delivery]))
      assert.ok(deliveries.size >= EVENTS_EACH, `${deliveries.size} deliveries`)
      assert.equal([...deliveries.values()].filter(({ EventType }) => /created/i.test(EventType)).length, 1)
      assert.equal([...deliveries.values()].filter(({ EventType }) => /completed/i.test(EventType)).length, 1)
    }
  })

  test('store each document once, as what it is', () => {
    for (const [key, { bytes }] of store.s3.objects) {
      const name = key.split('/').pop()!
      if (/^[0-9a-f]{64}$/.test(name)) assert.equal(createHash('sha256').update(bytes).digest('hex'), name)
    }
  })

  test('go on when a worker and a server are killed under load', async () => {
    const signing = signMany(fleet, REQUESTS)
    await until('work under way', async () => (await database.asOwner('select from job')).length > 0, { everyMs: 2 })
    await fleet.workers.shift()!.end('SIGKILL')
    await fleet.start('work')
    ids.push(...(await signing))
    await fleet.servers.shift()!.end('SIGKILL')
    ids.push(...(await signMany(fleet, 1)))
    // A mail that was handed over when its worker was killed is sent again, as the same one.
    assert.deepEqual(await findDoubles({ database, fleet }), [])
  })
})
