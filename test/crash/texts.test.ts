import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../database.ts'
import { MAY_NAME_THE_ERASED, readTexts, type TableText } from './texts.ts'

const ID = '00000000-0000-7000-8000-000000000001'
const SALT_BYTES = 16

describe('the texts of the database', () => {
  let database: TestDatabase
  let client: pg.Client

  before(async () => {
    database = await createDatabase()
    client = new pg.Client(database.connection)
    await client.connect()
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  const tablesWith = (texts: TableText[], word: string) =>
    texts.filter(({ text }) => text.includes(word)).map(({ table }) => table)

  test('are of every table that there is, with those of partitions once', async () => {
    const parents = await database.asOwner(
      `select count(*)::integer as amount from pg_tables where schemaname = 'public'
          and not exists (select from pg_inherits where inhrelid = quote_ident(tablename)::regclass)`,
    )
    const tables = (await readTexts(client)).map(({ table }) => table)
    assert.equal(tables.length, parents[0]!['amount'])
    for (const table of ['signature_request_word', 'idempotent_answer', 'hook_delivery', 'activity'])
      assert.ok(tables.includes(table), table)
    for (const table of Object.keys(MAY_NAME_THE_ERASED)) assert.ok(tables.includes(table), table)
  })

  test('spell out what is kept as bytes', async () => {
    await client.query(`insert into event_body (tenant_id, event_id, salt, body) values ($1, $1, $2, $3)`, [
      ID,
      Buffer.alloc(SALT_BYTES),
      Buffer.from('{"to":"Zéphyrine"}'),
    ])
    assert.deepEqual(tablesWith(await readTexts(client), 'Zéphyrine'), ['event_body'])
  })
})
