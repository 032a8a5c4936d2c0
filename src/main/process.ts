// What the server and the worker have in common: where their database and secret key come from, how they start, and how
// they stop. Under `start` both come over the channel to it; alone, from the environment.
import { flushCompileCache } from 'node:module'
import type { PoolConfig } from 'pg'
import { openBlobStore } from '#platform/blobs/open-blob-store.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig, type Config } from '#platform/config/config.ts'
import { ConfigurationError } from '#platform/config/environment.ts'
import { keepDatabaseTime } from '#platform/db/database-clock.ts'
import { openDatabase, type Database, type RuntimeRole } from '#platform/db/database.ts'
import { readRole, readSchemaVersion } from '#platform/db/readiness-statements.ts'
import { describeError, makeLog, type Log } from '#platform/log/log.ts'
import type { Tracing } from '#platform/tracing/open-telemetry.ts'
import type { Platform } from '#platform/platform.ts'
import { untilDatabaseAnswers } from './await-database.ts'
import { describeReason } from './doctor/describe-reason.ts'
import { packageVersion } from './package-version.ts'
import { makePlatform } from './platform.ts'
import { join } from 'node:path'

export type Installation = {
  connection: PoolConfig
  secretKey: string
  /** The database is this machine's own, reached by nobody else: there is never more than one worker. */
  hasOneWorker?: true
}

const UNDEFINED_TABLE = '42P01'
/** How long a stop may take before it is cut short. */
const STOP_WITHIN_MS = 30_000
/** Ctrl-C reaches the process more than once: a repeat means impatience only after this. */
const IMPATIENCE_AFTER_MS = 1_000

/** The configuration, or one clear line a mistake and exit 2. */
export function readConfigOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    for (const problem of error.problems) console.error(`countersign: ${problem}`)
    process.exit(2)
  }
}

/** The database and key that this process is to use. */
export async function findInstallation(config: Config): Promise<Installation> {
  if (config.databaseUrl !== undefined) {
    return { connection: { connectionString: config.databaseUrl }, secretKey: config.secretKey! }
  }
  if (process.send) return await receiveInstallation()
  console.error(
    'countersign: DATABASE_URL is needed here; without it use `countersign start`, which brings its own database',
  )
  process.exit(2)
}

function receiveInstallation(): Promise<Installation> {
  process.send!({ kind: 'ready for installation' })
  return new Promise((resolve) => process.once('message', (message) => resolve(message as Installation)))
}

export type ProcessName = 'serve' | 'work'

const KEEP_CODE_AFTER_MS = 5_000

/** Tells whoever started us that we are up. The code compiled so far is kept soon: a kill -9 would lose it. */
export function reportUp(message: { kind: 'listening' | 'working'; url?: string }): void {
  process.send?.(message)
  setTimeout(flushCompileCache, KEEP_CODE_AFTER_MS).unref()
}

type Opened = { platform: Platform; close(): Promise<void> }

/** Opens everything that a process needs; `close` gives it back in the right order. What is missing ends the process. */
export async function openPlatform(
  name: ProcessName,
  role: RuntimeRole,
): Promise<Opened & { installation: Installation }> {
  const config = readConfigOrExit()
  const installation = await findInstallation(config)
  const log = makeLog(config.logLevel, name)
  try {
    const tracing = config.isTraced ? await followSteps(name, log) : undefined
    const { platform, close } = await openParts(config, { installation, role, log })
    return { installation, platform, close: () => close().finally(() => tracing?.stop()) }
  } catch (error) {
    return failToStart(log, error)
  }
}

/** The library is loaded by those alone who want it: it costs time and memory at every start. */
async function followSteps(name: ProcessName, log: Log): Promise<Tracing> {
  const { startTracing } = await import('#platform/tracing/open-telemetry.ts')
  const service = `countersign-${name}`
  return startTracing({ service, version: packageVersion(), environment: process.env, log })
}

/** Says in one line why the process can't start, and ends it: whoever runs it starts it again. */
export function failToStart(log: Log, error: unknown): never {
  log.fatal({ error: describeError(error) }, 'could not start')
  console.error(`countersign: could not start: ${describeReason(error)}`)
  process.exit(1)
}

type Setting = { installation: Installation; role: RuntimeRole; log: Log }

async function openParts(config: Config, { installation, role, log }: Setting): Promise<Opened> {
  const runtimeUrl = config.runtimeDatabaseUrl
  const db = openDatabase({
    connection: runtimeUrl === undefined ? installation.connection : { connectionString: runtimeUrl },
    role: runtimeUrl === undefined ? role : undefined,
    poolSize: config.databasePoolSize,
    usePreparedStatements: config.usePreparedStatements,
    isSpread: config.isDatabaseSpread,
    onConnectionError: (error) => log.warn({ error: describeError(error) }, 'a database connection was lost'),
  })
  await requireDatabase(db, installation)
  if (runtimeUrl === undefined) await requireRole(db, role)
  const blobs = await openBlobStore(config.storage, { scratchFolder: join(config.dataDir, 'scratch') })
  const clock = await keepDatabaseTime({ db, log, own: systemClock })
  const platform = makePlatform({ config, secretKey: installation.secretKey, db, blobs, log, clock })
  return {
    platform,
    async close() {
      clock.stop()
      await blobs.close()
      await db.close()
    },
  }
}

async function requireDatabase(db: Database, installation: Installation): Promise<void> {
  const readVersion = () => db.systemTransaction((tx) => readSchemaVersion.one(tx, {}))
  await untilDatabaseAnswers(installation, readVersion).catch((error: unknown) =>
    Promise.reject(describeDatabase(error)),
  )
}

/** A pooler that forgets what a session asks for at its start would leave us with all rights of the owner. */
async function requireRole(db: Database, role: RuntimeRole): Promise<void> {
  const found = await db.systemTransaction((tx) => readRole.one(tx, {}))
  if (found.role === role) return
  throw new Error(
    `sessions of the database have the rights of ${found.role} instead of ${role}: whatever stands between us and it ` +
      `drops the options of a session; docs/operating/database.md says what a connection pooler needs`,
  )
}

function describeDatabase(error: unknown): Error {
  const { code, cause = error } = error as { code?: string; cause?: unknown }
  if (code === UNDEFINED_TABLE) return new Error('the database is empty: run `countersign migrate` first')
  return new Error('the database does not answer', { cause })
}

/** Runs `stop` once on SIGTERM, SIGINT, SIGHUP, or the end of the process that started us, then exits. */
export function stopOnSignals(log: Log, stop: () => Promise<void>): void {
  let askedAt: number | undefined
  const onSignal = (reason: string) => {
    if (askedAt !== undefined) {
      if (performance.now() - askedAt > IMPATIENCE_AFTER_MS && reason !== 'disconnect') process.exit(1)
      return
    }
    askedAt = performance.now()
    log.info({ reason }, 'stopping')
    const deadline = setTimeout(() => {
      log.error('stopping took too long and was cut short')
      process.exit(1)
    }, STOP_WITHIN_MS)
    deadline.unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error: describeError(error) }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => onSignal(signal))
  process.on('disconnect', () => onSignal('disconnect'))
}
