// The product's own server, in a process of its own.
import { makePlatform } from '#main/platform.ts'
import { routes } from '#main/routes.ts'
import { openLocalBlobs } from '#platform/blobs/local-blobs.ts'
import { readConfig } from '#platform/config/config.ts'
import { openDatabase } from '#platform/db/database.ts'
import { makeLog } from '#platform/log/log.ts'
import { makeMetrics } from '#platform/http/metrics.ts'
import { buildServer } from '#platform/http/server.ts'
import { receiveSetup, reportUrl } from './messages.ts'
import { answerAboutLoop } from './watch-loop.ts'

const { connection, folder } = await receiveSetup()
const config = readConfig({
  COUNTERSIGN_DATA: folder,
  COUNTERSIGN_RATE_LIMIT: '100000000',
  COUNTERSIGN_INVITATIONS_PER_DAY: '1000000000',
})
const db = openDatabase({ connection, role: 'countersign_request', poolSize: 10, onConnectionError: console.error })
const blobs = await openLocalBlobs(`${folder}/documents`)
const platform = makePlatform({
  config,
  secretKey: 'the secret key of the benchmark is long enough',
  db,
  blobs,
  log: makeLog(config.logLevel, 'bench'),
})
reportUrl(await buildServer({ platform, routes, metrics: makeMetrics() }).listen({ port: 0, host: '127.0.0.1' }))
answerAboutLoop()
