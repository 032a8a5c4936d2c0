// Two walls stand between tenants: every statement names the tenant, and the database hides other tenants' rows by itself.
// Each is taken away in turn, and the other must hold alone.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database, Tx } from '#platform/db/database.ts'
import { routes } from '#main/routes.ts'
import { routeName } from '#platform/http/route.ts'
import { OPERATIONS } from './contract/operations.ts'
import { apiDocument } from './contract/documented.ts'
import { strangersOf, walkForeign } from './contract/foreign.ts'
import { walkSessions } from './contract/sessions.ts'
import { makeWorld, type World } from './contract/world.ts'

/** Names of statements: those that lost the tenant, and those that still ask for it. */
type Predicates = { forgotten: Set<string>; kept: Set<string> }

const noPredicates = (): Predicates => ({ forgotten: new Set(), kept: new Set() })

/** A transaction whose statements have lost what they say about the tenant. */
function forgetful(tx: Tx, { forgotten, kept }: Predicates): Tx {
  const query: Tx['query'] = (name, text, values) => {
    const without = text.replaceAll(/(?:\b\w+\.)?\btenant_id = \$(\d+)(?:::uuid)?/g, '($$$1::uuid is not null)')
    if (without !== text) forgotten.add(name)
    if (/\btenant_id\s*(=|in)\s*(any\s*)?\(?\s*\$/.test(without)) kept.add(name)
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

function withoutPredicates(db: Database, predicates: Predicates): Database {
  return {
    ...db,
    transaction: (tenantId, work, options) =>
      db.transaction(tenantId, (tx) => work(forgetful(tx, predicates)), options),
  }
}

async function disableRowLevelSecurity({ service: { database } }: World): Promise<void> {
  const tables = await database.asOwner(
    `select c.oid::regclass::text as name from pg_class c
      where c.relrowsecurity and c.relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of tables) await database.asOwner(`alter table ${String(name)} disable row level security`)
  assert.ok(tables.length > 20)
}

describe('the tenant matrix', () => {
  /** Told to everybody alike, and no tenant's rows are visible while it is answered. */
  const PUBLISHED = /^\/(pki|log)\//

  test('has a place for every operation of the document: a new one without a place fails here', () => {
    const documented = Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    )
    assert.deepEqual(documented.sort(), routes.map(routeName).sort())
    const isPlaced = (name: string) =>
      name in OPERATIONS || /^(\/sign\/|\/console\/)/.test(name.split(' ')[1]!) || PUBLISHED.test(name.split(' ')[1]!)
    assert.deepEqual(
      documented.filter((name) => !isPlaced(name)),
      [],
    )
  })

  test('what is published has no tenant, and needs none', () => {
    for (const route of routes.filter(({ url }) => PUBLISHED.test(url))) {
      assert.equal(route.isPublic, true, routeName(route))
      assert.equal(route.admitGuest, undefined, routeName(route))
    }
  })
})

describe('with neither wall, the walk would notice', () => {
  test('a foreign request is read, and its department stands in the answer', async () => {
    const world = await makeWorld({}, { overDatabase: (db) => withoutPredicates(db, noPredicates()) })
    try {
      await disableRowLevelSecurity(world)
      const { openRequestId, departmentId } = world.sales.things
      const leaks = []
      for (const [who, call] of strangersOf(world)) {
        const { status, text } = await call('GET', `/signing/signaturerequest/${openRequestId}`)
        if (status === 200 && text.includes(departmentId)) leaks.push(who)
      }
      assert.ok(leaks.includes('the tenant’s key'), leaks.join())
    } finally {
      await world.service.stop()
    }
  })
})

describe('without the tenant in any statement, row-level security keeps tenants apart', () => {
  const predicates = noPredicates()
  let world: World

  before(async () => {
    world = await makeWorld({}, { overDatabase: (db) => withoutPredicates(db, predicates) })
  })
  after(() => world.service.stop())

  walkForeign(() => world)
  walkSessions(() => world)

  test('the statements really had lost it, all that ran', () => {
    assert.ok(predicates.forgotten.size > 60, `${predicates.forgotten.size} statements`)
    assert.deepEqual([...predicates.kept], [])
  })
})

describe('without row-level security, the statements keep tenants apart', () => {
  let world: World

  before(async () => {
    world = await makeWorld()
    await disableRowLevelSecurity(world)
  })
  after(() => world.service.stop())

  walkForeign(() => world)
  walkSessions(() => world)

  test('the database really shows everything', async () => {
    const { platform, database } = world.service
    const [{ n: all }] = (await database.asOwner('select count(*)::int as n from signature_request')) as [{ n: number }]
    const seen = await platform.db.transaction(world.other.tenantId, (tx) =>
      tx.query('countEverything', 'select count(*)::int as n from signature_request', []),
    )
    assert.equal(seen.rows[0]!['n'], all)
  })
})
