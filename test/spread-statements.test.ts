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
const OUTER_JOIN_ON_TRUE = /\b(left|right|full) join\b[^]*\bon true\b/
const INSERT_OF_WHAT_IS_MISSING = /insert into[^]*\bselect\b[^]*on conflict/
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

  async function planOf(text: string): Promise<Plan> {
    await client.query(`prepare looked_at as ${text}`)
    const parameters = new Set(text.match(/\$\d+/g)).size
    const values = parameters === 0 ? '' : `(${Array.from({ length: parameters }, () => 'null').join(', ')})`
    const { rows } = await client.query(`explain (format json, costs off) execute looked_at${values}`)
    await client.query('deallocate looked_at')
    return rows[0]['QUERY PLAN'][0].Plan as Plan
  }

  /** Scans of spread tables that are not narrowed to one tenant. */
  function findWideScans(plan: Plan): string[] {
    const below = (plan.Plans ?? []).flatMap(findWideScans)
    const table = tableOf(plan)
    const isScan = plan['Node Type'].endsWith('Scan') && table !== undefined && !central.has(table)
    // A bitmap is made by the index below it.
    const isNarrow = isOfOneTenant(plan) || (plan.Plans ?? []).some(isOfOneTenant)
    return isScan && !isNarrow ? [...below, `${table} as ${plan.Alias}`] : below
  }

  /** Compared with the tenant itself: a row outside does not tell Citus the machine, though it has the same tenant. */
  const isOfOneTenant = (plan: Plan) => CONDITIONS.some((key) => /\btenant_id = \$\d+/.test(plan[key] ?? ''))

  const central = new Set(centralTables())
  const tableOf = (plan: Plan) => plan['Relation Name']?.replace(/_(\d{4}_\d{2}|other)$/, '')

  const isOfBothKinds = (plan: Plan) => {
    const tables = listNodes(plan).flatMap((node) => tableOf(node) ?? [])
    return tables.some((table) => central.has(table)) && tables.some((table) => !central.has(table))
  }

  const listNodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(listNodes)]

  test('of one tenant compare every table that they read with the tenant', async () => {
    const wide: string[] = []
    const own = listOurs().filter((statement) => !statement.isGlobal && !statement.spansTenants)
    for (const { name, text } of own)
      for (const scan of findWideScans(await planOf(text))) wide.push(`${name}: ${scan}`)
    assert.deepEqual(wide, [])
    assert.ok(own.length > 200)
  })

  test('would be noticed without the tenant, with it in one table of two, or as that of a row outside', async () => {
    const without = 'select subject from signature_request where id = $1'
    assert.deepEqual(findWideScans(await planOf(without)), ['signature_request as signature_request'])
    const half = `select s.id from signatory s join signature_request r on r.id = s.request_id where r.tenant_id = $1`
    assert.deepEqual(findWideScans(await planOf(half)), ['signatory as s'])
    const outside = `select (select count(*) from signatory s where s.tenant_id = r.tenant_id and s.request_id = r.id)
                       from signature_request r where r.tenant_id = $1`
    assert.deepEqual(findWideScans(await planOf(outside)), ['signatory as s'])
  })

  // Rows of the first machine travel to the tenant's as a table of their own, which PostgreSQL 15 and 16 refuse there.
  test('have no outer join on true where they join what lies on the first machine with what is spread', async () => {
    const unconditional = listOurs().filter(({ text }) => OUTER_JOIN_ON_TRUE.test(text))
    const refused: string[] = []
    for (const { name, text } of unconditional) if (isOfBothKinds(await planOf(text))) refused.push(name)
    assert.deepEqual(refused, [])
    const left = `select b.body from outbox o left join lateral (
                    select c.body from event_body c where c.tenant_id = $1 and c.event_id = o.id offset 0) b on true
                   where o.tenant_id = $1`
    assert.ok(OUTER_JOIN_ON_TRUE.test(left) && isOfBothKinds(await planOf(left)))
  })

  test('change rows without functions of a column that depend on the session, which would be refused', async () => {
    const changes = listOurs().filter(({ text }) => CHANGES.test(text))
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

  // Citus counts the rows that it was given, not those that were written; what a statement returns is right.
  test('that leave out what is there already are not asked how many they wrote', () => {
    const given = listOurs().filter(
      ({ text, isGlobal }) => !isGlobal && INSERT_OF_WHAT_IS_MISSING.test(text) && !text.includes('returning'),
    )
    assert.ok(given.length > 5)
    assert.deepEqual(findCounts(given.map(({ name }) => name)), [])
    assert.ok(findCounts(['insertClaim']).length > 0)
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

/** The files that look at the number of rows which one of these statements touched. */
function findCounts(statements: readonly string[]): string[] {
  const counts = new RegExp(`(\\(|= )await (${statements.join('|')})\\.run\\(`)
  return sources.filter(({ text }) => counts.test(text)).map(({ file }) => file)
}

/** Files with tests bring statements of their own into the same process. */
const listOurs = () => listStatements().filter(({ name }) => !name.startsWith('test'))

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
