// Every statement of the product, prepared on a migrated database: a renamed column or a wrong type fails here, by name.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { globSync } from 'node:fs'
import pg from 'pg'
import { CLAIMED_TABLES, GLOBAL_TABLES } from '#platform/db/catalogue.ts'
import { listStatements } from '#platform/db/statement.ts'
import { createDatabase, type TestDatabase } from './database.ts'

await Promise.all(
  globSync('src/{features,platform}/**/*.ts', { exclude: ['**/*.test.ts'] })
    .filter((file) => file.includes('statements') || file.includes('jobs/') || file.includes('http/'))
    .map((file) => import(`../${file}`)),
)

type Described = { parameters: string[]; columns: { name: string; type: string }[] }

describe('statements', () => {
  let database: TestDatabase
  let client: pg.Client
  const types = new Map<number, string>()

  before(async () => {
    database = await createDatabase()
    client = new pg.Client(database.connection)
    await client.connect()
    for (const { oid, typname } of (await client.query('select oid, typname from pg_type')).rows)
      types.set(oid, typname)
  })

  after(async () => {
    await client.end()
    await database.drop()
  })

  async function describeStatement(text: string, index: number): Promise<Described> {
    const name = `s${index}`
    await client.query(`prepare ${name} as ${text}`)
    const { rows } = await client.query(
      `select parameter_types::text[] as parameters, result_types::text[] as results from pg_prepared_statements where name = $1`,
      [name],
    )
    const columns = await describeColumns(text)
    return { parameters: rows[0].parameters, columns }
  }

  /** The columns with their names, from the server's own description of an empty run. */
  async function describeColumns(text: string): Promise<Described['columns']> {
    await client.query('begin')
    try {
      const parameters = (text.match(/\$\d+/g) ?? []).reduce((most, p) => Math.max(most, Number(p.slice(1))), 0)
      const result = await client.query({
        text,
        values: Array.from({ length: parameters }, () => null),
        rowMode: 'array',
      })
      return result.fields.map((field) => ({ name: field.name, type: types.get(field.dataTypeID)! }))
    } catch (error) {
      // Null breaks a not-null column before any row is described; the types were checked by `prepare` already.
      if (['23502', '22004'].includes((error as { code: string }).code)) return []
      throw error
    } finally {
      await client.query('rollback')
    }
  }

  test('fit the database: each prepares, and returns the columns that it promises', async () => {
    for (const [index, statement] of listStatements().entries()) {
      const described = await describeStatement(statement.text, index).catch((error: Error) => {
        throw new Error(`${statement.name}: ${error.message}`)
      })
      if (described.columns.length === 0) continue
      const promised = Object.entries(statement.row)
      assert.deepEqual(
        described.columns.map((column) => column.name).sort(),
        promised.map(([name]) => name).sort(),
        `${statement.name}: columns`,
      )
      for (const [name, column] of promised) {
        const { type } = described.columns.find((candidate) => candidate.name === name)!
        assert.ok(column.types.includes(type), `${statement.name}: ${name} is ${type}, promised ${column.label}`)
      }
    }
    assert.ok(listStatements().length > 20)
  })

  test('name the tenant, unless they are about a table that knows none', () => {
    for (const statement of listStatements()) {
      if (statement.isGlobal || statement.spansTenants) {
        const claimed = statement.isGlobal ? [] : CLAIMED_TABLES
        const parts = [...statement.text.matchAll(/\b([a-z_]+) as (?:materialized )?\(/g)].map((match) => match[1]!)
        const allowed: readonly string[] = [...GLOBAL_TABLES, ...claimed, ...parts, 'unnest', 'lateral']
        const tables = [...statement.text.matchAll(/\b(?:from|into|join|(?<!do |for )update)\s+([a-z_]+)/g)].map(
          (match) => match[1],
        )
        assert.ok(
          tables.every((table) => allowed.includes(table!)),
          `${statement.name} is not global`,
        )
      } else {
        assert.match(statement.text, /tenant_id/, `${statement.name} does not name the tenant`)
        assert.ok('tenantId' in statement.params, `${statement.name} has no tenantId among its parameters`)
      }
    }
  })

  test('never select all columns of a table', () => {
    for (const { name, text } of listStatements()) {
      assert.doesNotMatch(text, /select\s+\*\s+from\s+(?!unnest|given|jsonb?_to_recordset)/i, `${name} selects *`)
    }
  })
})
