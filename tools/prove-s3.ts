// `npm run proof:s3 -- --store 's3://bucket?endpoint=http://…' [--servers 2] [--workers 2] [--requests 40]`: several servers
// and workers on one database and one S3-compatible store, with the credentials in AWS_ACCESS_KEY_ID and
// AWS_SECRET_ACCESS_KEY. Without --store, the small store of the tests. Prints how much more several processes do than
// one, kills one of each in the middle, and holds that nothing was done twice; 1 if anything was.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { createDatabase } from '../test/database.ts'
import { startTestCluster, TEST_CLUSTER_VARIABLE } from '../test/cluster.ts'
import { findDoubles } from '../test/doubles.ts'
import { signMany, startFlakyStore, startFleet, type Store } from '../test/fleet.ts'

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
    if (isKilling) {
      setTimeout(
        () =>
          void fleet.workers
            .shift()!
            .end('SIGKILL')
            .then(() => fleet.start('work')),
        1_000,
      )
    }
    await signing
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

try {
  const one = await measure({ servers: 1, workers: 1 }, false)
  const several = await measure({ servers, workers }, false)
  console.log(`${(several / one).toFixed(2)} times one of each`)
  await measure({ servers, workers }, true)
} finally {
  await flaky?.stop()
  stop()
}
