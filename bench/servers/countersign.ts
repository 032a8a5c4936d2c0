// The product's own server, in a process of its own, which can tell how long one turn of its event loop took at most.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { makePlatform } from '#main/platform.ts'
import { routes } from '#main/routes.ts'
import { openLocalBlobs } from '#platform/blobs/local-blobs.ts'
import { readConfig } from '#platform/config/config.ts'
import { openDatabase } from '#platform/db/database.ts'
import { makeLog } from '#platform/log/log.ts'
import { makeMetrics } from '#platform/http/metrics.ts'
import { buildServer } from '#platform/http/server.ts'
import { receiveSetup, reportUrl, type LongestTurn } from './messages.ts'

const { connection, folder } = await receiveSetup()
const config = readConfig({ COUNTERSIGN_DATA: folder, COUNTERSIGN_RATE_LIMIT: '100000000' })
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

const loop = monitorEventLoopDelay({ resolution: 1 })
let longestTurnMs = 0
let usedMs = 0
let look: NodeJS.Timeout | undefined

/** What this thread has used of a processor: a turn of the loop that waits for its share of a busy machine does not count. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function watchTurns(): void {
  longestTurnMs = 0
  usedMs = processorMs()
  look = setInterval(() => {
    const before = usedMs
    usedMs = processorMs()
    longestTurnMs = Math.max(longestTurnMs, usedMs - before)
  }, 1)
}

process.on('message', (question) => {
  if (question === 'watch the loop') {
    loop.reset()
    loop.enable()
    watchTurns()
    process.send!(true)
  }
  if (question === 'tell the longest turn') {
    loop.disable()
    clearInterval(look)
    process.send!({ ms: loop.max / 1e6, processorMs: longestTurnMs } satisfies LongestTurn)
  }
})
