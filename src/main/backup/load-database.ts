// Puts the rows of a backup into an empty database, in one transaction: until its commit nothing is there, and whoever is
// killed before it leaves nothing behind.
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import pg from 'pg'
import { CommandFailure } from '../command-line/command.ts'
import { listTables } from './tables.ts'

const fromGzip = promisify(gunzip)
const ROWS_AT_A_TIME = 500
const MOST_PART_BYTES = 256 * 1024 * 1024

const SETTINGS = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local statement_timeout = 0; set local lock_timeout = '5s'`

export type LoadOptions = {
  connection: pg.ClientConfig
  /** The parts of the backup, each with the table that it belongs to. */
  parts: AsyncIterable<{ table: string; content: Buffer }>
  /** Rows by table, as the backup says. */
  expected: Readonly<Record<string, number>>
}

export async function loadDatabase({ connection, parts, expected }: LoadOptions): Promise<void> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query(SETTINGS)
    await requireEmpty(client)
    const names = (await listTables(client)).map(({ name }) => name)
    const strange = Object.keys(expected).filter((name) => !names.includes(name))
    if (strange.length > 0) throw new CommandFailure(`the backup has tables that are not known: ${strange.join(', ')}`)
    const rules = await suspendRules(client, names)
    // Migrations may have put rows of their own there.
    await client.query(`truncate ${names.join(', ')}`)
    await insertAll(client, { parts, expected }, await listColumns(client, names))
    await rules.restore()
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Holds off whoever would make the first tenant at the same moment. */
async function requireEmpty(client: pg.Client): Promise<void> {
  await client.query('lock table tenant in access exclusive mode')
  const { rows } = await client.query('select count(*)::int as tenants from tenant')
  if ((rows[0] as { tenants: number }).tenants === 0) return
  throw new CommandFailure('the database is not empty', {
    fix: 'Restore into a new data directory (COUNTERSIGN_DATA) or an empty database (DATABASE_URL).',
  })
}

/** References are checked at the end, triggers have done their work before, and the owner may write for every tenant. */
async function suspendRules(client: pg.Client, names: readonly string[]) {
  const { rows } = await client.query(
    `select conrelid::regclass::text as "table", conname as name from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 and not condeferrable`,
  )
  const references = rows as { table: string; name: string }[]
  const forced = await client.query(
    `select relname as name from pg_class where relname = any($1) and relnamespace = 'public'::regnamespace
        and relforcerowsecurity`,
    [names],
  )
  const isolated = (forced.rows as { name: string }[]).map(({ name }) => name)
  for (const { table, name } of references) {
    await client.query(`alter table ${table} alter constraint "${name}" deferrable initially deferred`)
  }
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  for (const name of isolated) await client.query(`alter table ${name} no force row level security`)
  return {
    async restore() {
      await client.query('set constraints all immediate')
      for (const { table, name } of references) {
        await client.query(`alter table ${table} alter constraint "${name}" not deferrable`)
      }
      for (const name of names) await client.query(`alter table ${name} enable trigger user`)
      for (const name of isolated) await client.query(`alter table ${name} force row level security`)
    },
  }
}

/** What can be written, by table: the database computes the other columns itself. */
async function listColumns(client: pg.Client, names: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await client.query(
    `select c.relname as "table", string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relname = any($1) and c.relnamespace = 'public'::regnamespace
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      group by c.relname`,
    [names],
  )
  return new Map((rows as { table: string; columns: string }[]).map(({ table, columns }) => [table, columns]))
}

type Given = Pick<LoadOptions, 'parts' | 'expected'>

async function insertAll(client: pg.Client, { parts, expected }: Given, columnsOf: ReadonlyMap<string, string>) {
  const inserted: Record<string, number> = {}
  for await (const { table, content } of parts) {
    const lines = (await fromGzip(content, { maxOutputLength: MOST_PART_BYTES })).toString().trimEnd().split('\n')
    const rows = lines.map((line) => JSON.parse(line) as string)
    const columns = columnsOf.get(table)
    if (columns === undefined) throw new CommandFailure(`the backup has rows of a table that is not known: ${table}`)
    const insert = `insert into ${table} (${columns}) select ${columns} from unnest($1::${table}[])`
    for (let at = 0; at < rows.length; at += ROWS_AT_A_TIME) {
      await client.query(insert, [rows.slice(at, at + ROWS_AT_A_TIME)])
    }
    inserted[table] = (inserted[table] ?? 0) + rows.length
  }
  for (const [table, count] of Object.entries(expected)) {
    if ((inserted[table] ?? 0) !== count) throw new CommandFailure(`the backup lacks rows of ${table}`)
  }
}
