// Forward-only migrations: plain SQL files in order, each in one transaction, under one advisory lock, with checksums.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { makePartitions } from './partitions.ts'
import { KEEP_ALIVE } from './silence.ts'
import { splitSql } from './split-sql.ts'

const MIGRATIONS = new URL('../../../db/migrations/', import.meta.url)
const ADVISORY_LOCK = 7_142_025_991
const FILE_NAME = /^(\d{6})_[a-z0-9_]+\.sql$/
const OLDEST_SERVER = 150_000
// Whoever waits for a table makes everybody else wait behind him. So a migration waits a little, lets the others through,
// and tries again.
const LOCK_TIMEOUT_MS = 2_000
const TRY_AGAIN_AFTER_MS = 500
const MOST_TRIES = 60
const LOCK_NOT_AVAILABLE = '55P03'
/** Statements follow each other within a second. One whom the server does not hear for so long is gone, without a word. */
const GONE_AFTER_MS = 10_000

/** What an operator is told who has to wait. */
export const OTHER_MIGRATES = 'Somebody else is migrating this database. Waiting for the end of it.'

/** One more migration of so many has run. */
type OnRun = (total: number) => void

type Migration = { version: number; name: string; sql: string; sha256: string }

type MigrateOptions = {
  upTo?: number
  onRun?: OnRun
  /** Somebody else migrates this database, and is waited for. */
  onWait?: () => void
  /** Other migrations than ours. */
  folder?: string
}

/** Brings the database up to date as its owner, or up to an earlier version, and answers with the names of the migrations that it ran. */
export async function migrate(
  connection: pg.ClientConfig,
  now: Date,
  { folder, upTo = latestVersion(folder), onRun = () => {}, onWait = () => {} }: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client({ ...connection, ...KEEP_ALIVE })
  client.on('error', () => {}) // A dropped connection also fails the query that is under way.
  await client.connect()
  try {
    await requireServerVersion(client)
    await endOnceUnheard(client)
    await awaitTurn(client, onWait)
    const ran = await runPending(client, { migrations: readMigrations(folder), upTo, onRun })
    if (upTo === latestVersion(folder)) await makePartitions(client, now)
    return ran
  } finally {
    await client.end()
  }
}

/** The version that this program needs. */
export function latestVersion(folder?: string): number {
  return readMigrations(folder).at(-1)!.version
}

export function readMigrations(folder?: string): Migration[] {
  const place = folder === undefined ? MIGRATIONS : pathToFileURL(`${folder}/`)
  return readdirSync(place)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name, index) => {
      const version = Number(FILE_NAME.exec(name)?.[1])
      if (version !== index + 1) throw new Error(`db/migrations/${name}: expected number ${index + 1} in its name`)
      const sql = readFileSync(new URL(name, place), 'utf8')
      return { version, name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    })
}

async function requireServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')::int as version`)
  const version = rows[0].version as number
  if (version < OLDEST_SERVER) throw new Error(`PostgreSQL 15 or newer is needed; this server is ${version / 10_000}`)
}

/** Else a table that we have for ourselves, and our turn, would be held for the hours in which TCP does not ask for us. */
async function endOnceUnheard(client: pg.Client): Promise<void> {
  await client.query(`set idle_in_transaction_session_timeout = ${GONE_AFTER_MS}`)
  await client.query(`set idle_session_timeout = ${GONE_AFTER_MS}`)
}

/** One at a time, for as long as it takes: a large table takes long. Asking again shows us that the server is still there. */
async function awaitTurn(client: pg.Client, onWait: () => void): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as "isOurs"', [ADVISORY_LOCK])
    if (rows[0].isOurs as boolean) return
    if (tries === 1) onWait()
    await sleep(TRY_AGAIN_AFTER_MS)
  }
}

type Pending = { migrations: Migration[]; upTo: number; onRun: OnRun }

async function runPending(client: pg.Client, { migrations, upTo, onRun }: Pending): Promise<string[]> {
  await client.query(`create table if not exists schema_version (
    version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query('select version, name, sha256 from schema_version order by version')
  const applied = new Map(rows.map((row) => [row.version as number, row as Migration]))
  refuseStrangeHistory(applied, migrations)

  const pending = migrations.filter(({ version }) => !applied.has(version) && version <= upTo)
  for (const migration of pending) {
    await runPatiently(client, migration)
    onRun(pending.length)
  }
  return pending.map(({ name }) => name)
}

function refuseStrangeHistory(applied: Map<number, Migration>, migrations: Migration[]): void {
  for (const [version, { name, sha256 }] of applied) {
    const known = migrations[version - 1]
    if (!known) throw new Error(`the database is newer than this program: it has migration ${name}`)
    if (known.sha256 !== sha256) throw new Error(`migration ${name} was changed after it ran on this database`)
  }
}

async function runPatiently(client: pg.Client, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await runOne(client, migration)
    } catch (error) {
      const { code } = (error as Error).cause as { code?: string }
      if (code !== LOCK_NOT_AVAILABLE || tries === MOST_TRIES) throw error
      await sleep(TRY_AGAIN_AFTER_MS)
    }
  }
}

async function runOne(client: pg.Client, { version, name, sql, sha256 }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    // One by one: a spread database passes on the whole text in which a statement came.
    for (const statement of splitSql(sql)) await client.query(statement)
    await client.query('insert into schema_version (version, name, sha256) values ($1, $2, $3)', [
      version,
      name,
      sha256,
    ])
    await client.query('grant select on schema_version to countersign_request, countersign_worker')
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {}) // A session that has ended has done so by itself.
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
