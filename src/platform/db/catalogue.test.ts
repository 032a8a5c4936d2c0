import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { listIsolationFaults } from './catalogue.ts'

describe('the isolation rules', () => {
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
    assert.deepEqual(await listIsolationFaults(client), [])
  })

  const faults: [what: string, sql: string, expected: RegExp][] = [
    ['a table without a tenant', 'create table notes (id uuid primary key)', /no tenant_id.*notes/],
    ['row-level security off', 'alter table signatory disable row level security', /not enabled and forced.*signatory/],
    [
      'row-level security not forced',
      'alter table signatory no force row level security',
      /not enabled and forced.*signatory/,
    ],
    ['a unique index over all tenants', 'create unique index leak on app_user (email_key)', /first column.*leak/],
    [
      'a foreign key without the tenant',
      'alter table department add unique (id); alter table metadata add constraint leak foreign key (reference_id) references department (id)',
      /foreign key.*leak/,
    ],
    [
      'a policy that lets everything through',
      'create policy open on signatory using (true)',
      /policy.*signatory\.open/,
    ],
    ['truncate for a runtime role', 'grant truncate on signatory to countersign_request', /truncate.*signatory/],
    ['a partition within reach', 'grant select on event_other to countersign_request', /partition.*event_other/],
    ['events that can be changed', 'grant update on event to countersign_worker', /change or delete events/],
    [
      'private keys within reach',
      'grant select on certificate_key to countersign_request',
      /private keys: certificate_key/,
    ],
    ['a view with its owner’s rights', 'create view everyone as select * from app_user', /view.*everyone/],
    [
      'a function with its owner’s rights',
      'create function f() returns int language sql security definer return 1',
      /function.*f/,
    ],
    [
      'a runtime role that owns a table',
      'create table t (tenant_id uuid not null); alter table t owner to countersign_request',
      /owns something.*t/,
    ],
  ]
  for (const [what, sql, expected] of faults) {
    test(`notice ${what}`, async () => {
      await client.query('begin')
      try {
        await client.query(sql)
        assert.match((await listIsolationFaults(client)).join('\n'), expected)
      } finally {
        await client.query('rollback')
      }
    })
  }

  test('hide every row from a runtime role without a tenant, and other tenants’ rows from one with a tenant', async () => {
    const [a, b] = ['0190a000-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000002']
    for (const id of [a, b]) {
      await client.query(
        `insert into department (tenant_id, id, path, name, created_at, modified_at) values ($1, $1, array[$1]::uuid[], 'Root', now(), now())`,
        [id],
      )
    }
    const seen = async (tenant: string) => {
      await client.query('begin')
      await client.query('set local role countersign_request')
      await client.query(`select set_config('app.tenant', $1, true)`, [tenant])
      const { rows } = await client.query('select id from department')
      await client.query('rollback')
      return rows.map((row) => row.id as string)
    }
    assert.deepEqual(await seen(''), [])
    assert.deepEqual(await seen(a), [a])
  })
})
