// A receiver that is down has deliveries waiting by the hundred thousand. What each new one costs must not depend on that,
// not even while the database still believes that hardly any wait.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { newId } from '#platform/ids.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { countPages } from '../../../test/pages-read.ts'
import { insertDeliveries, recordTries, releaseNext } from './delivery-statements.ts'

const DELIVERED = 2_000
const WAITING = 20_000
const AT_ONCE = 20

describe('the cost of deliveries beside many that wait', () => {
  const [tenantId, subscriptionId] = [newId(), newId()]
  let database: TestDatabase
  let owner: pg.Client

  before(async () => {
    database = await createDatabase()
    owner = new pg.Client(database.connection)
    await owner.connect()
    // The rows stand for themselves: nobody has subscribed.
    await owner.query('set session_replication_role = replica')
    await add('delivered', DELIVERED)
    await owner.query('vacuum analyze hook_delivery')
  })
  after(async () => {
    await owner.end()
    await database.drop()
  })

  async function add(state: string, amount: number): Promise<{ id: string; request_id: string }[]> {
    const { rows } = await owner.query(
      `insert into hook_delivery (tenant_id, subscription_id, id, request_id, sequence, payload, state, due_at, created_at)
       select $1, $2, uuidv7(), uuidv7(), 1, '{}', $3, case when $3 = 'waiting' then now() end, now()
         from generate_series(1, $4)
       returning id, request_id`,
      [tenantId, subscriptionId, state, amount],
    )
    return rows as { id: string; request_id: string }[]
  }

  const many = <T>(value: T) => Array<T>(AT_ONCE).fill(value)
  const now = new Date().toISOString()
  const newOnes = () =>
    countPages(owner, insertDeliveries, {
      tenantId,
      now,
      subscriptionIds: many(subscriptionId),
      ids: Array.from({ length: AT_ONCE }, newId),
      requestIds: Array.from({ length: AT_ONCE }, newId),
      sequences: many(1),
      payloads: many('"{}"'),
    })
  const failedOnes = async () => {
    const sent = await add('waiting', AT_ONCE)
    return countPages(owner, recordTries, {
      tenantId,
      subscriptionIds: many(subscriptionId),
      ids: sent.map(({ id }) => id),
      requestIds: sent.map((delivery) => delivery.request_id),
      numbers: many(1),
      states: many('waiting'),
      dueAts: many(now),
      ats: many(now),
      durations: many(5),
      statuses: many(500),
      errors: many('""'),
      answers: many('""'),
    })
  }

  const nextOnes = async () => {
    const waiting = await add('waiting', AT_ONCE)
    const requestIds = waiting.map((delivery) => delivery.request_id)
    await owner.query('update hook_delivery set due_at = null where request_id = any($1)', [requestIds])
    return countPages(owner, releaseNext, { tenantId, now, subscriptionIds: many(subscriptionId), requestIds })
  }

  test('stays what it is, for new ones, for those that failed, and for those that follow', async () => {
    const measures = { newOnes, failedOnes, nextOnes }
    const measureAll = async () => {
      const pages: Record<string, number> = {}
      for (const [what, measure] of Object.entries(measures)) pages[what] = await measure()
      return pages
    }
    await measureAll()
    const few = await measureAll()
    await add('waiting', WAITING)
    const many = await measureAll()
    for (const what of Object.keys(measures))
      assert.ok(many[what]! < few[what]! * 2, `${what}: ${few[what]} pages, then ${many[what]}`)
  })
})
