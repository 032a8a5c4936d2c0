// The installation that the environment names, for commands beside the service or in its place: its database whether or
// not the service runs, and its secret key.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PoolConfig } from 'pg'
import { openBlobStore } from '#platform/blobs/open-blob-store.ts'
import { readConfig, type Config } from '#platform/config/config.ts'
import type { Environment } from '#platform/config/environment.ts'
import { openDatabase, type RuntimeRole } from '#platform/db/database.ts'
import { startEmbeddedPostgres } from '#platform/db/embedded/embedded-postgres.ts'
import { findRunningServer, hasCluster } from '#platform/db/embedded/running-server.ts'
import { latestVersion } from '#platform/db/migrate.ts'
import { readSchemaVersion } from '#platform/db/readiness-statements.ts'
import { makeLog } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'
import { CommandFailure, EXIT } from './command-line/command.ts'
import { makePlatform } from './platform.ts'
import { SECRET_KEY_FILE } from './secret-key.ts'

export type LocalDatabase = {
  connection: PoolConfig
  /** Whose database: that of DATABASE_URL, the one of a service that runs, or one that was started for this command. */
  kind: 'external' | 'running' | 'started'
  close(): Promise<void>
}

/** The database as its owner. The embedded one is started for the time of the command where no service runs. */
export async function openLocalDatabase(config: Config, { mayMake = false } = {}): Promise<LocalDatabase> {
  const { databaseUrl, dataDir } = config
  const nothing = async () => {}
  if (databaseUrl !== undefined) {
    return { connection: { connectionString: databaseUrl }, kind: 'external', close: nothing }
  }
  const running = existsSync(dataDir) ? await findRunningServer(dataDir) : undefined
  if (running !== undefined) return { connection: running, kind: 'running', close: nothing }
  if (!mayMake && !(existsSync(dataDir) && (await hasCluster(dataDir)))) {
    throw new CommandFailure(`there is no installation in ${dataDir}`, {
      fix: 'Start it once with `countersign start`, or set COUNTERSIGN_DATA or DATABASE_URL to where it is.',
    })
  }
  const started = await startEmbeddedPostgres({ dataDir, log: () => {} })
  return { connection: started.connection, kind: 'started', close: () => started.stop() }
}

/** The secret key of the installation: from the environment, or from the file that its first start made. */
export function readSecretKey({ secretKey, dataDir }: Config): string {
  const file = join(dataDir, SECRET_KEY_FILE)
  const found = secretKey ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)
  if (found !== undefined && found !== '') return found
  throw new CommandFailure(`the secret key is missing: there is no ${file}`, {
    exitCode: EXIT.usage,
    fix: 'Bring the file back from where you keep it, or set COUNTERSIGN_SECRET_KEY_FILE.',
  })
}

export type LocalPlatform = { platform: Platform; connection: PoolConfig; close(): Promise<void> }

/** Everything that an action needs, on an installation whose database is up to date. */
export async function openLocalPlatform(
  environment: Environment,
  role: RuntimeRole = 'countersign_request',
  { isReadOnly = false } = {},
): Promise<LocalPlatform> {
  const config = readConfig(environment)
  const database = await openLocalDatabase(config)
  try {
    const { platform, close } = await openPlatformOn(config, database, role, { isReadOnly })
    return {
      platform,
      connection: database.connection,
      async close() {
        await close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The same on a database that is open already, and stays so. */
export async function openPlatformOn(
  config: Config,
  database: LocalDatabase,
  role: RuntimeRole,
  { isReadOnly = false } = {},
): Promise<{ platform: Platform; close(): Promise<void> }> {
  const { connection } = database
  const secretKey = readSecretKey(config)
  const isSpread = config.isDatabaseSpread
  const db = openDatabase({ connection, role, isReadOnly, poolSize: 2, isSpread, onConnectionError: () => {} })
  try {
    const { version } = await db.systemTransaction((tx) => readSchemaVersion.one(tx, {}))
    requireVersion(version, database.kind)
    const blobs = await openBlobStore(config.storage, { scratchFolder: join(config.dataDir, 'scratch') })
    const platform = makePlatform({ config, secretKey, db, blobs, log: makeLog('silent', 'command') })
    return {
      platform,
      async close() {
        await blobs.close()
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

function requireVersion(version: number | null, kind: LocalDatabase['kind']): void {
  const expected = latestVersion()
  if (version === expected) return
  throw new CommandFailure(`the database is at migration ${version ?? 0}, this program needs ${expected}`, {
    fix: kind === 'external' ? 'Run `countersign migrate`.' : 'Start this version once with `countersign start`.',
  })
}

/** Runs `work` on the installation, and gives everything back afterwards. */
export async function onPlatform<T>(
  { environment }: { environment: Environment },
  work: (platform: Platform) => Promise<T>,
): Promise<T> {
  const { platform, close } = await openLocalPlatform(environment)
  try {
    return await work(platform)
  } finally {
    await close()
  }
}
