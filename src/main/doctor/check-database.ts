import pg from 'pg'
import { listIsolationFaults } from '#platform/db/catalogue.ts'
import { latestVersion } from '#platform/db/migrate.ts'
import { listClusterFaults } from '#platform/db/spread-machines.ts'
import { listSpreadTables } from '#platform/db/spreading.ts'
import type { LocalDatabase } from '../local-installation.ts'
import { bad, good, type Finding } from './finding.ts'

const CONNECT_WITHIN_MS = 5_000
const CLOCKS_APART_MS = 2_000

const WHERE: Readonly<Record<LocalDatabase['kind'], string>> = {
  external: 'DATABASE_URL',
  running: 'the embedded database, in use by a service that runs',
  started: 'the embedded database, started for this check',
}

/** Reach, version, migrations, the rules that keep tenants apart, and the database's clock beside ours. */
export async function checkDatabase({ connection, kind }: LocalDatabase, isSpread: boolean): Promise<Finding[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_WITHIN_MS })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query(
      `select current_setting('server_version') as version, clock_timestamp() as now,
              to_regclass('public.schema_version') is not null as "isMade"`,
    )
    const { version, now, isMade } = rows[0] as { version: string; now: Date; isMade: boolean }
    const reached = good('database', `PostgreSQL ${version} (${WHERE[kind]})`)
    const clock = checkClock(now)
    if (!isMade) return [reached, clock, migrationsMissing(0, kind)]
    return [reached, clock, await checkMigrations(client, kind), await checkIsolation(client, isSpread)]
  } finally {
    await client.end()
  }
}

function checkClock(now: Date): Finding {
  const apartMs = Math.abs(Date.now() - now.getTime())
  if (apartMs <= CLOCKS_APART_MS) return good('database clock', `${apartMs} ms from ours`)
  return bad(
    'database clock',
    `${Math.round(apartMs / 1000)} s from ours`,
    'Synchronise the clocks of both machines by NTP (timedatectl set-ntp true, or chronyd).',
  )
}

function migrationsMissing(version: number, kind: LocalDatabase['kind']): Finding {
  const fix = kind === 'external' ? 'Run: countersign migrate' : 'Run: countersign start'
  return bad('migrations', `the database is at ${version}, this program needs ${latestVersion()}`, fix)
}

async function checkMigrations(client: pg.Client, kind: LocalDatabase['kind']): Promise<Finding> {
  const { rows } = await client.query('select coalesce(max(version), 0) as version from schema_version')
  const { version } = rows[0] as { version: number }
  if (version === latestVersion()) return good('migrations', `up to date (${version})`)
  if (version < latestVersion()) return migrationsMissing(version, kind)
  return bad(
    'migrations',
    `the database is newer (${version}) than this program`,
    'Install the newer Countersign again.',
  )
}

async function checkIsolation(client: pg.Client, isSpread: boolean): Promise<Finding> {
  const faults = await listIsolationFaults(client, isSpread ? await listSpreadTables(client) : [])
  if (isSpread) faults.push(...(await listClusterFaults(client)))
  if (faults.length === 0) return good('isolation', 'tenants are kept apart')
  return bad(
    'isolation',
    faults.join('; '),
    'Undo what was changed by hand; the server does not start on such a database.',
  )
}
