// Everything in one command: the embedded database (unless DATABASE_URL names another), migrations, the first tenant,
// then the server and the worker as processes of their own. Stops in the opposite order.
import { mkdirSync } from 'node:fs'
import type { PoolConfig } from 'pg'
import type { Config } from '#platform/config/config.ts'
import { EmbeddedPostgresError } from '#platform/db/embedded/embedded-postgres.ts'
import { migrate, OTHER_MIGRATES } from '#platform/db/migrate.ts'
import { makeLog } from '#platform/log/log.ts'
import { describeReason } from './doctor/describe-reason.ts'
import { describeForPrograms, welcome } from './welcome.ts'
import { ensureFirstTenant } from './first-start.ts'
import { runOwnDatabase, type OwnDatabase } from './own-database.ts'
import { readConfigOrExit, stopOnSignals, type Installation } from './process.ts'
import { readOrMakeSecretKey } from './secret-key.ts'
import { supervise, type Supervised } from './supervise.ts'
import { ensureWebBuilt } from './web-build.ts'

const say = (line: string) => console.error(`countersign: ${line}`)

const config = readConfigOrExit()
const log = makeLog(config.logLevel, 'start')
let database: OwnDatabase | undefined
const children: Supervised[] = []

stopOnSignals(log, stop)
try {
  await start()
} catch (error) {
  say(describeReason(error))
  if (!(error instanceof EmbeddedPostgresError)) log.debug(error)
  await stop()
  process.exit(1)
}

async function start(): Promise<void> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o711 })
  const installation = prepare(config)
  // While the first tenant is made, the others get ready for it.
  const firstTenant = installation.then(({ connection }) => ensureFirstTenant(connection, config, new Date()))
  // Why there is none is told below; a process that does not ask for it before that must not end us by it.
  for (const promised of [installation, firstTenant]) promised.catch(() => {})
  // Both load their code while our own database starts. With another, they would not wait for our word to use it.
  if (config.databaseUrl !== undefined) await firstTenant
  const server = supervise('serve', installation, say)
  const worker = supervise('work', installation, say)
  children.push(server, worker)
  const [firstStart, { url }] = await Promise.all([firstTenant, server.isUp, worker.isUp])
  const up = { url: config.publicUrl ?? url!, firstStart, dataDir: config.dataDir, database: database?.current() }
  console.log(process.argv.includes('--json') ? JSON.stringify(describeForPrograms(up)) : welcome(up))
}

async function prepare(config: Config): Promise<Installation> {
  const [installation] = await Promise.all([openInstallation(config), ensureWebBuilt(say)])
  await migrate(installation.connection, new Date(), { onWait: () => say(OTHER_MIGRATES) })
  return installation
}

async function openInstallation({ databaseUrl, secretKey, dataDir }: Config): Promise<Installation> {
  if (databaseUrl !== undefined) return { connection: { connectionString: databaseUrl }, secretKey: secretKey! }
  database = await runOwnDatabase(dataDir, { say, giveUp })
  for (const warning of database.current().warnings) say(warning)
  const connection: PoolConfig = database.current().connection
  return { connection, secretKey: secretKey ?? readOrMakeSecretKey(dataDir), hasOneWorker: true }
}

function giveUp(why: string): void {
  say(why)
  void stop().finally(() => process.exit(1))
}

async function stop(): Promise<void> {
  await Promise.all(children.map((child) => child.stop()))
  await database?.stop()
}
