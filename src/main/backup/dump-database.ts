// Every row of one moment. One transaction sees one snapshot, so what is written while it runs is not in it, and nothing
// has to stop. Rows travel in PostgreSQL's own text form, which every type can be read back from exactly.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import pg from 'pg'
import { listTables, type Table } from './tables.ts'

const toGzip = promisify(gzip)
const ROWS_AT_A_TIME = 500
const PART_BYTES = 4 * 1024 * 1024

/** The same spelling whatever the server is set to. */
const SETTINGS = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local statement_timeout = 0`

export type Dump = {
  schemaVersion: number
  tables: Record<string, number>
  /** What the rows name: each document once. */
  documents: { tenantId: string; sha256: string; sizeBytes: number }[]
}

export type DumpOptions = {
  connection: pg.ClientConfig
  /** Takes the next part of a table, compressed. */
  write: (part: { table: string; content: Buffer }) => Promise<void>
  /** One more table of so many. */
  onTable: (total: number) => void
}

export async function dumpDatabase({ connection, write, onTable }: DumpOptions): Promise<Dump> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(SETTINGS)
    const schemaVersion = await readVersion(client)
    const tenants = await listTenantIds(client)
    const tables = await listTables(client)
    const counts: Record<string, number> = {}
    for (const table of tables) {
      counts[table.name] = await dumpTable(client, table, tenants, (content) => write({ table: table.name, content }))
      onTable(tables.length)
    }
    const documents = await listDocuments(client, tenants)
    await client.query('commit')
    return { schemaVersion, tables: counts, documents }
  } finally {
    await client.end()
  }
}

async function readVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select max(version) as version from schema_version')
  return (rows[0] as { version: number }).version
}

async function listTenantIds(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query('select id from tenant order by id')
  return (rows as { id: string }[]).map(({ id }) => id)
}

type Write = (content: Buffer) => Promise<void>

/** A tenant's rows are asked for as that tenant: an owner who is no superuser sees them only so. */
async function dumpTable(client: pg.Client, table: Table, tenants: readonly string[], write: Write): Promise<number> {
  const parts = makeParts(write)
  if (!table.hasTenant) await dumpRows(client, `select t::text as line from ${table.name} t`, parts.add)
  else {
    for (const tenantId of tenants) {
      await becomeTenant(client, tenantId)
      await dumpRows(client, `select t::text as line from ${table.name} t where tenant_id = '${tenantId}'`, parts.add)
    }
  }
  return parts.finish()
}

async function becomeTenant(client: pg.Client, tenantId: string): Promise<void> {
  await client.query(`select set_config('app.tenant', $1, true)`, [tenantId])
}

async function dumpRows(client: pg.Client, sql: string, add: (lines: string[]) => Promise<void>): Promise<void> {
  await client.query(`declare dump no scroll cursor for ${sql}`)
  for (;;) {
    const { rows } = await client.query(`fetch ${ROWS_AT_A_TIME} from dump`)
    if (rows.length > 0) await add((rows as { line: string }[]).map(({ line }) => line))
    if (rows.length < ROWS_AT_A_TIME) break
  }
  await client.query('close dump')
}

/** Lines in files of a few megabytes, so that no table has to fit into memory. */
function makeParts(write: Write) {
  let lines: string[] = []
  let sizeBytes = 0
  let total = 0
  const flush = async () => {
    if (lines.length > 0) await write(await toGzip(Buffer.from(lines.join(''))))
    lines = []
    sizeBytes = 0
  }
  return {
    async add(more: string[]) {
      for (const line of more) {
        const text = `${JSON.stringify(line)}\n`
        lines.push(text)
        sizeBytes += text.length
      }
      total += more.length
      if (sizeBytes >= PART_BYTES) await flush()
    },
    async finish() {
      await flush()
      return total
    },
  }
}

async function listDocuments(client: pg.Client, tenants: readonly string[]): Promise<Dump['documents']> {
  const documents: Dump['documents'] = []
  for (const tenantId of tenants) {
    await becomeTenant(client, tenantId)
    const { rows } = await client.query(
      `select distinct tenant_id as "tenantId", encode(sha256, 'hex') as sha256, size_bytes::float8 as "sizeBytes"
         from stored_document where tenant_id = $1 order by 2`,
      [tenantId],
    )
    documents.push(...(rows as Dump['documents']))
  }
  return documents
}
