// The server: faces the network, holds no certificate's key.
import type { FastifyInstance } from 'fastify'
import { requireOwnSecretKey } from '#features/history/index.ts'
import { listFramers } from '#features/signer/index.ts'
import type { Config } from '#platform/config/config.ts'
import { latestVersion } from '#platform/db/migrate.ts'
import { readSchemaVersion } from '#platform/db/readiness-statements.ts'
import { addReference } from '#platform/http/docs-page/add-reference.ts'
import { addHealth, type Check } from '#platform/http/health.ts'
import { describeApi } from '#platform/http/openapi/describe-api.ts'
import { makeMetrics } from '#platform/http/metrics.ts'
import { buildServer } from '#platform/http/server.ts'
import { addPages } from '#platform/http/static-pages.ts'
import { describeError } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'
import { readCondition } from '#platform/troubles/read-condition.ts'
import { untilDatabaseAnswers } from './await-database.ts'
import { failToStart, openPlatform, reportUp, stopOnSignals } from './process.ts'
import { packageVersion } from './package-version.ts'
import { requireIsolation } from './require-database.ts'
import { routes } from './routes.ts'
import { WEB_FOLDER } from './web-build.ts'

const FLUSH_USAGE_EVERY_MS = 60_000
/** Load balancers need a moment to notice that we are not ready any more. */
const LEAVE_AFTER_MS = 200

const { platform, installation, close } = await openPlatform('serve', 'countersign_request')
const { log, config } = platform
const { connection } = installation
const isSpread = config.isDatabaseSpread

try {
  await untilDatabaseAnswers(installation, () => requireIsolation({ connection, isSpread }))
  const metrics = makeMetrics()
  const app = buildServer({ platform, routes, metrics })
  addReference(app, { document: describeApi(routes, { version: packageVersion() }) })
  addPages(app, { folder: WEB_FOLDER, listFramers: (page) => listFramers(platform, page) })
  const health = addHealth(app, platform, metrics, {
    vital: readinessChecks(platform),
    readCondition: () => readCondition(platform),
  })
  const flushing = setInterval(() => void flushUsage(), FLUSH_USAGE_EVERY_MS)
  stopOnSignals(log, () => {
    clearInterval(flushing)
    return stop(app, health.setStopping)
  })
  const url = await listen(app, config)
  log.info({ url }, 'listening')
  reportUp({ kind: 'listening', url })
} catch (error) {
  failToStart(log, error)
}

async function listen(app: FastifyInstance, { host, port }: Pick<Config, 'host' | 'port'>): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Error(`port ${port} of ${host} is in use; choose another with COUNTERSIGN_PORT`, { cause: error })
  }
}

async function stop(app: FastifyInstance, setStopping: () => void): Promise<void> {
  setStopping()
  await new Promise((resolve) => setTimeout(resolve, LEAVE_AFTER_MS))
  await app.close()
  await flushUsage()
  await close()
}

/** How often keys are used is worth no more than a line in the log. */
function flushUsage(): Promise<void> {
  return platform.authenticator
    .flushUsage()
    .catch((error: unknown) => log.warn({ error: describeError(error) }, 'the use of keys could not be written down'))
}

function readinessChecks({ db, blobs, keyring }: Platform): Check[] {
  const expected = latestVersion()
  return [
    {
      name: 'database',
      run: async () => {
        const { version } = await db.systemTransaction((tx) => readSchemaVersion.one(tx, {}))
        // A newer one is what an upgrade looks like from an older server, which goes on until it is replaced.
        if ((version ?? 0) < expected)
          throw new Error(`the database is at migration ${version}, this program needs ${expected}`)
      },
    },
    { name: 'storage', run: () => blobs.checkWritable() },
    { name: 'secret key', run: () => requireOwnSecretKey({ db, keyring }) },
  ]
}
