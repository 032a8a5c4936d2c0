// Two walls stand between tenants: every statement names the tenant, and the database hides other tenants' rows by itself.
// Each is taken away in turn, and the other must hold alone.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database, Tx } from '#platform/db/database.ts'
import { walkForeign } from './contract/foreign.ts'
import { makeWorld, type World } from './contract/world.ts'

/** A transaction whose statements have lost what they say about the tenant. */
function forgetful(tx: Tx, forgotten: Set<string>): Tx {
  const query: Tx['query'] = (name, text, values) => {
    const without = text.replaceAll(/(?:\b\w+\.)?\btenant_id = \$(\d+)(?:::uuid)?/g, '($$$1::uuid is not null)')
    if (without !== text) forgotten.add(name)
    return tx.query(name, without, values)
  }
  return new Proxy(tx, {
    get(target, property) {
      if (property === 'query') return query
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function withoutPredicates(db: Database, forgotten: Set<string>): Database {
  return {
    ...db,
    transaction: (tenantId, work, options) => db.transaction(tenantId, (tx) => work(forgetful(tx, forgotten)), options),
  }
}

describe('without the tenant in any statement, row-level security keeps tenants apart', () => {
  const forgotten = new Set<string>()
  let world: World

  before(async () => {
    world = await makeWorld({}, { overDatabase: (db) => withoutPredicates(db, forgotten) })
  })
  after(() => world.service.stop())

  walkForeign(() => world)

  test('the statements really had lost it', () => {
    assert.ok(forgotten.size > 60, `${forgotten.size} statements`)
  })
})

describe('without row-level security, the statements keep tenants apart', () => {
  let world: World

  before(async () => {
    world = await makeWorld()
    const { database } = world.service
    const tables = await database.asOwner(
      `select c.oid::regclass::text as name from pg_class c
        where c.relrowsecurity and c.relnamespace = 'public'::regnamespace`,
    )
    for (const { name } of tables) await database.asOwner(`alter table ${String(name)} disable row level security`)
    assert.ok(tables.length > 20)
  })
  after(() => world.service.stop())

  walkForeign(() => world)

  test('the database really shows everything', async () => {
    const { platform, database } = world.service
    const [{ n: all }] = (await database.asOwner('select count(*)::int as n from signature_request')) as [{ n: number }]
    const seen = await platform.db.transaction(world.other.tenantId, (tx) =>
      tx.query('countEverything', 'select count(*)::int as n from signature_request', []),
    )
    assert.equal(seen.rows[0]!['n'], all)
  })
})
