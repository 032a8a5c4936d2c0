// The product's own worker, in a process of its own.
import { availableParallelism } from 'node:os'
import { jobHandlers } from '#main/jobs.ts'
import { makePlatform } from '#main/platform.ts'
import { prepareCertificates } from '#main/prepare-certificates.ts'
import { listenForWakeUps } from '#main/wake-ups.ts'
import { openLocalBlobs } from '#platform/blobs/local-blobs.ts'
import { readConfig } from '#platform/config/config.ts'
import { openDatabase } from '#platform/db/database.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { makeLog } from '#platform/log/log.ts'
import { receiveSetup, reportUrl } from './messages.ts'

const { connection, folder } = await receiveSetup()
const db = openDatabase({ connection, role: 'countersign_worker', poolSize: 10, onConnectionError: console.error })
const platform = makePlatform({
  config: readConfig({ COUNTERSIGN_DATA: folder }),
  secretKey: 'the secret key of the benchmark is long enough',
  db,
  blobs: await openLocalBlobs(`${folder}/documents`),
  log: makeLog('warn', 'bench'),
})
await prepareCertificates(platform)
const { clock, log } = platform
const worker = startWorker({ db, clock, log, handlers: jobHandlers(platform), atOnce: availableParallelism() * 4 })
listenForWakeUps({ connection, log, wake: () => worker.wake(), wakeForEvents: () => {} })
reportUrl('')
