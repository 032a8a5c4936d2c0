// On a database that is spread over machines, a call must find its tenant's machine by the statement itself: every table
// in it is compared with the tenant. The planner tells, without row-level security and without a row in any table.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { centralTables } from '#platform/db/spreading.ts'
import { listStatements } from '#platform/db/statement.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { findShakyCalls } from './shaky-calls.ts'

await Promise.all(
  globSync('src/{features,platform}/**/*.ts', { exclude: ['**/*.test.ts'] })
    .filter((file) => file.includes('statements') || file.includes('jobs/') || file.includes('http/'))
    .map((file) => import(`../${file}`)),
)

const CHANGES = /\b(update|delete from)\b/
const CONDITIONS = ['Index Cond', 'Recheck Cond', 'Filter', 'TID Cond'] as const

type Plan = Partial<Record<(typeof CONDITIONS)[number], string>> & {
  'Node Type': string
  'Relation Name'?: string
  Alias?: string
  Plans?: Plan[]
}

describe('statements on a spread database', () => {
  let database: TestDatabase
  let client: pg.Client

  before(async () => {
    database = await createDatabase()
    client = new pg.Client(database.connection)
    await client.connect()
    await client.query('set plan_cache_mode = force_generic_plan; set constraint_exclusion = off')
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  /** Scans of spread tables that are not narrowed to one tenant. */
  async function listWideScans(name: string, text: string): Promise<string[]> {
    await client.query(`prepare ${name} as ${text}`)
    const parameters = new Set(text.match(/\$\d+/g)).size
    const values = parameters === 0 ? '' : `(${Array.from({ length: parameters }, () => 'null').join(', ')})`
    const { rows } = await client.query(`explain (format json, costs off) execute ${name}${values}`)
    await client.query(`deallocate ${name}`)
    return findWideScans(rows[0]['QUERY PLAN'][0].Plan as Plan)
  }

  function findWideScans(plan: Plan): string[] {
    const below = (plan.Plans ?? []).flatMap(findWideScans)
    const table = plan['Relation Name']?.replace(/_(\d{4}_\d{2}|other)$/, '')
    const isScan = plan['Node Type'].endsWith('Scan') && table !== undefined && !central.has(table)
    // A bitmap is made by the index below it.
    const isNarrow = isOfOneTenant(plan) || (plan.Plans ?? []).some(isOfOneTenant)
    return isScan && !isNarrow ? [...below, `${table} as ${plan.Alias}`] : below
  }

  /** Compared with the tenant itself, or with a row outside that is. */
  const isOfOneTenant = (plan: Plan) =>
    CONDITIONS.some((key) => /\btenant_id = (\$\d+|\w+\.tenant_id)/.test(plan[key] ?? ''))

  const central = new Set(centralTables())

  test('of one tenant compare every table that they read with the tenant', async () => {
    const wide: string[] = []
    // Files with tests bring statements of their own into the same process.
    const ours = listStatements().filter(({ name }) => !name.startsWith('test'))
    const own = ours.filter((statement) => !statement.isGlobal && !statement.spansTenants)
    for (const [index, { name, text }] of own.entries())
      for (const scan of await listWideScans(`s${index}`, text)) wide.push(`${name}: ${scan}`)
    assert.deepEqual(wide, [])
    assert.ok(own.length > 200)
  })

  test('would be noticed without the tenant, or with it in one table of two', async () => {
    const without = 'select subject from signature_request where id = $1'
    assert.deepEqual(await listWideScans('without', without), ['signature_request as signature_request'])
    const half = `select s.id from signatory s join signature_request r on r.id = s.request_id where r.tenant_id = $1`
    assert.deepEqual(await listWideScans('half', half), ['signatory as s'])
  })

  test('change rows without functions of a column that depend on the session, which would be refused', async () => {
    const changes = listStatements().filter(({ name, text }) => !name.startsWith('test') && CHANGES.test(text))
    const shaky: string[] = []
    for (const { name, text } of changes)
      for (const call of await findShakyCalls(client, text)) shaky.push(`${name}: ${call}`)
    assert.deepEqual(shaky, [])
    assert.ok(changes.length > 100)
    const given = `from unnest($2::text[], $3::text[]) as g (id, at) where tenant_id = $1 and word = g.id`
    const read = `update signature_request_word set created_at = g.at::timestamptz ${given}`
    assert.deepEqual(await findShakyCalls(client, read), ['timestamptz_in'])
    const counted = `delete from signature_request_word where tenant_id = $1 and created_at + interval '1 day' < $2`
    assert.deepEqual(await findShakyCalls(client, counted), ['timestamptz_pl_interval'])
  })

  test('that span tenants are asked by workers and commands alone, never by a call', () => {
    const spanning = listStatements().flatMap(({ name, spansTenants }) => (spansTenants ? [name] : []))
    assert.ok(spanning.length >= 5)
    const asking = findUsers(spanning)
    assert.ok(asking.has('src/main/work.ts'))
    const called = [...asking].filter((file) => /\/(routes|serve|[a-z]+-routes)\.ts$/.test(file))
    assert.deepEqual(called, [])
    assert.ok(findUsers(['findPerson']).has('src/features/onboarding/user-routes.ts'))
  })
})

const sources = globSync('src/{main,features,platform}/**/*.ts', { exclude: ['**/*.test.ts', '**/testing/**'] }).map(
  (file) => ({ file, text: readFileSync(file, 'utf8') }),
)

/** The files that run one of these statements, those that call what such a file offers, and so on. */
function findUsers(statements: readonly string[]): Set<string> {
  const users = new Set<string>()
  let uses = new RegExp(`\\b(${statements.join('|')})\\.(one|maybeOne|many|run)\\(`)
  for (let before = -1; before < users.size;) {
    before = users.size
    const found = sources.filter(({ file, text }) => !users.has(file) && uses.test(text))
    for (const { file } of found) users.add(file)
    const offered = found.flatMap(({ text }) => [...text.matchAll(/^export (?:async )?function (\w+)/gm)])
    if (offered.length > 0) uses = new RegExp(`(?<!function )\\b(${offered.map(([, name]) => name).join('|')})\\(`)
  }
  return users
}
