import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { GLOBAL_TABLES } from './catalogue.ts'
import { centralTables, listSpreadFaults, listSpreadTables, planSpread, QUEUES_AT_THE_CENTRE } from './spreading.ts'

describe('the rules for a database that is spread over machines', () => {
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

  test('hold for the migrated database', async () => {
    assert.deepEqual(await listSpreadFaults(client), [])
  })

  const faults: [what: string, sql: string, expected: RegExp][] = [
    ['a unique index without the tenant', 'create unique index leak on department (id)', /tenant_id: leak/],
    [
      'a foreign key without the tenant',
      'alter table department add unique (id); alter table metadata add constraint leak foreign key (reference_id) references department (id)',
      /compare tenant_id with tenant_id: leak/,
    ],
    [
      'a foreign key to a table that stays',
      'alter table department add constraint leak foreign key (tenant_id) references tenant (id)',
      /is not, or back: leak/,
    ],
    ['a sequence', 'alter table metadata add column number bigserial', /counts by itself.*metadata\.number/],
    ['an identity', 'alter table metadata add column number int generated always as identity', /metadata\.number/],
    [
      'a trigger',
      `create function nothing() returns trigger language plpgsql as 'begin return null; end';
       create trigger leak after insert on metadata for each row execute function nothing()`,
      /trigger.*leak/,
    ],
  ]
  for (const [what, sql, expected] of faults) {
    test(`notice ${what}`, async () => {
      await client.query('begin')
      try {
        await client.query(sql)
        assert.match((await listSpreadFaults(client)).join('\n'), expected)
      } finally {
        await client.query('rollback')
      }
    })
  }

  test('leave no table out: each is spread by its tenant, or stays for a reason that is written down', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    )
    const placed = [...(await listSpreadTables(client)), ...centralTables()].sort()
    assert.deepEqual(rows.map(({ name }) => name).sort(), placed)
    for (const [name, reason] of Object.entries(QUEUES_AT_THE_CENTRE)) {
      assert.ok(!(GLOBAL_TABLES as readonly string[]).includes(name))
      assert.ok(reason.length > 20)
    }
  })

  test('make a plan in which every table comes after those that it refers to, and all lie with the first', async () => {
    const plan = await planSpread(client, [])
    const tables = plan.flatMap(({ sql }) => /create_distributed_table\('(\w+)'/.exec(sql)?.[1] ?? [])
    assert.deepEqual(tables, await listSpreadTables(client))
    const { rows } = await client.query<{ child: string; parent: string }>(
      `select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
        where contype = 'f' and conrelid <> confrelid and conparentid = 0 and conrelid::regclass::text = any($1)`,
      [tables],
    )
    assert.ok(rows.length > 20)
    for (const { child, parent } of rows)
      assert.ok(tables.indexOf(parent) < tables.indexOf(child), `${child}: ${parent}`)
    assert.equal(plan.filter(({ sql }) => sql.includes(`colocate_with => 'none'`)).length, 1)
    const rest = tables.slice(3)
    assert.equal((await planSpread(client, rest)).length, plan.length - 2 * rest.length)
    assert.deepEqual(await planSpread(client, tables), [])
    const later = await planSpread(client, tables.slice(0, -1))
    assert.ok(!later.some(({ sql }) => sql.includes('trigger')), 'spread tables know no triggers, not even to drop one')
  })
})
