import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { MOVES, REQUEST_STATUSES, SIGNATORY_STATES, statusAfter, type Move } from './signature-request.ts'

describe('the life of a signature request', () => {
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
  })
  after(() => database.drop())

  async function wordsOfCheck(table: string, column: string): Promise<string[]> {
    const [row] = await database.asOwner(
      `select pg_get_constraintdef(oid) as definition from pg_constraint
        where conrelid = $1::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%' || $2 || ' = ANY%'`,
      [table, column],
    )
    return [...String(row!['definition']).matchAll(/'(\w+)'/g)].map((match) => match[1]!).sort()
  }

  test('knows the same words as the database', async () => {
    assert.deepEqual(await wordsOfCheck('signature_request', 'status'), [...REQUEST_STATUSES].sort())
    assert.deepEqual(await wordsOfCheck('signatory', 'state'), [...SIGNATORY_STATES].sort())
  })

  test('allows every move of the table and no other', () => {
    for (const move of Object.keys(MOVES) as Move[]) {
      for (const status of REQUEST_STATUSES) {
        const isAllowed = (MOVES[move].from as readonly string[]).includes(status)
        if (isAllowed) assert.equal(statusAfter(status, move), MOVES[move].to)
        else assert.throws(() => statusAfter(status, move), { classification: 'InvalidOperation' })
      }
    }
  })

  test('reaches every status from Draft', () => {
    const reached = new Set<string>(['Draft'])
    for (let before = 0; before < reached.size;) {
      before = reached.size
      for (const { from, to } of Object.values(MOVES)) if (from.some((status) => reached.has(status))) reached.add(to)
    }
    assert.deepEqual([...reached].sort(), [...REQUEST_STATUSES].sort())
  })

  test('ends with Canceled and Archived', () => {
    const left = new Set<string>(Object.values(MOVES).flatMap(({ from }) => [...from]))
    const ends = REQUEST_STATUSES.filter((status) => !left.has(status))
    assert.deepEqual(ends, ['Canceled', 'Archived'])
  })
})
