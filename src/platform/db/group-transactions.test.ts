import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { integer, text } from './columns.ts'
import { isOutOfReach, type Database, type Tx } from './database.ts'
import { groupTransactions } from './group-transactions.ts'
import { statement } from './statement.ts'

const divideInGroup = statement({
  name: 'testDivideInGroup',
  isGlobal: true,
  params: { by: integer },
  row: { result: integer, transaction: text },
  sql: `select 10 / :by::int as result, pg_current_xact_id()::text as transaction`,
})

describe('transactions of one tenant that are ready at the same moment', () => {
  let database: TestDatabase
  let db: Database
  before(async () => {
    database = await createDatabase()
    db = database.open()
  })
  after(() => database.drop())

  const divideAll = (tx: Tx, _: string, items: number[]) =>
    Promise.all(items.map((by) => divideInGroup.one(tx, { by })))

  test('are one, and each hears its own answer', async () => {
    const divide = groupTransactions(db, divideAll)
    const tenantId = newId()
    const answers = await Promise.all([1, 2, 5].map((by) => divide(tenantId, by)))
    assert.deepEqual(
      answers.map(({ result }) => result),
      [10, 5, 2],
    )
    assert.equal(new Set(answers.map(({ transaction }) => transaction)).size, 1)
  })

  test('of which one can’t be had: it alone fails, the others are done', async () => {
    const divide = groupTransactions(db, divideAll)
    const tenantId = newId()
    const outcomes = await Promise.allSettled([1, 0, 5].map((by) => divide(tenantId, by)))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
  })

  test('of which nobody knows whether they were committed are not done twice', async () => {
    const runs: number[][] = []
    const store = groupTransactions(db, (_tx, _tenantId, items: number[]) => {
      runs.push(items)
      // As a connection that breaks while it waits for the answer to its commit.
      return Promise.reject(new Error('Connection terminated unexpectedly'))
    })
    const tenantId = newId()
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => store(tenantId, item)))
    assert.deepEqual(runs, [[1, 2, 3]])
    for (const outcome of outcomes) {
      assert.equal(outcome.status, 'rejected')
      assert.ok(isOutOfReach(outcome.reason))
    }
  })

  test('of two tenants stay apart', async () => {
    const tenants: string[] = []
    const note = groupTransactions(db, (_tx, tenantId, items: number[]) => {
      tenants.push(tenantId)
      return Promise.resolve(items)
    })
    const [one, other] = [newId(), newId()]
    assert.deepEqual(await Promise.all([note(one, 1), note(other, 2), note(one, 3)]), [1, 2, 3])
    assert.deepEqual(new Set(tenants), new Set([one, other]))
    assert.equal(tenants.length, 2)
  })
})
