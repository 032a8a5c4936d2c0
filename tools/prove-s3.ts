// `npm run proof:s3 -- --store 's3://bucket?endpoint=http://…' [--servers 2] [--workers 2] [--requests 40]`: several servers
// and workers on one database and one S3-compatible store, with the credentials in AWS_ACCESS_KEY_ID and
// AWS_SECRET_ACCESS_KEY. Without --store, the small store of the tests. Prints how much more several processes do than
// one, kills a worker in the middle, and holds that nothing was done twice; 1 if anything was, or if several do less than
// they should.
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createDatabase } from '../test/database.ts'
import { startTestCluster, TEST_CLUSTER_VARIABLE } from '../test/cluster.ts'
import { findDoubles } from '../test/doubles.ts'
import { signMany, startFlakyStore, startFleet, type Fleet, type Store } from '../test/fleet.ts'

const KILL_AFTER_MS = 1_000
const LEAST_GROWTH = 1.3
const LEAST_ON_FEW_CORES = 0.7

const text = (otherwise?: string) => ({ type: 'string', default: otherwise }) as const
const { values } = parseArgs({
  options: { store: text(), servers: text('2'), workers: text('2'), requests: text('40') },
})
const [servers, workers, requests] = [values.servers, values.workers, values.requests].map(Number) as [
  number,
  number,
  number,
]

const { cluster, stop } = await startTestCluster()
process.env[TEST_CLUSTER_VARIABLE] = JSON.stringify(cluster)
const flaky = values.store === undefined ? await startFlakyStore() : undefined
const store: Store = flaky ?? { environment: { COUNTERSIGN_STORAGE: values.store! } }
console.log(`${cpus().length} cores, ${values.store ?? 'the small store of the tests, which fails now and then'}`)

/** Signs so many requests with so many processes, and answers with how many a second. */
async function measure(size: { servers: number; workers: number }, isKilling: boolean): Promise<number> {
  const database = await createDatabase()
  const fleet = await startFleet({ database, store, ...size })
  try {
    await signMany(fleet, 2)
    const startedAt = performance.now()
    const signing = signMany(fleet, requests)
    const killing = isKilling ? killWorker(fleet) : undefined
    await signing
    await killing
    const perSecond = requests / ((performance.now() - startedAt) / 1000)
    const doubles = await findDoubles({ database, fleet })
    for (const double of doubles) console.log(`  ${double}`)
    if (doubles.length > 0) process.exitCode = 1
    const what = `${size.servers} servers and ${size.workers} workers${isKilling ? ', a worker killed' : ''}`
    console.log(
      `${what}: ${perSecond.toFixed(2)} requests a second from creation to Closed, ${doubles.length} things done twice`,
    )
    return perSecond
  } finally {
    await fleet.stop()
    await database.drop()
  }
}

/** In the middle of the work; another one takes its place. */
async function killWorker(fleet: Fleet): Promise<void> {
  await sleep(KILL_AFTER_MS)
  await fleet.workers.shift()!.end('SIGKILL')
  await fleet.start('work')
}

/** Several do more where each has a core to itself; where they share them, at least not much less. */
function requireGrowth(times: number): void {
  const least = cpus().length >= servers + workers ? LEAST_GROWTH : LEAST_ON_FEW_CORES
  if (times >= least) return
  console.log(`TOO LITTLE: ${least} times is the least on ${cpus().length} cores`)
  process.exitCode = 1
}

try {
  const one = await measure({ servers: 1, workers: 1 }, false)
  const several = await measure({ servers, workers }, false)
  console.log(`${(several / one).toFixed(2)} times one of each`)
  requireGrowth(several / one)
  await measure({ servers, workers }, true)
} finally {
  await flaky?.stop()
  stop()
}
