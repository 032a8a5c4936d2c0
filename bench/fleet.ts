// More processes on one database do more: servers that read and create, workers that seal. Each process gets a share of a
// core, as if it had a small machine to itself, so that there is room for more of them on this one.
import { setTimeout as sleep } from 'node:timers/promises'
import { createTenant } from '#features/onboarding/index.ts'
import { openDatabase } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { makeCreationBodies } from './creation.ts'
import { drive, type Call } from './load.ts'
import { countProcessed, pileUp } from './sealing.ts'
import { limitTo, type Share } from './small-share.ts'
import { say, type Line } from './table.ts'
import { openBench, type Bench } from './workbench.ts'

const SIZES = [1, 2, 4]
const SHARE = { countersign: 0.1, sealer: 0.15 }
const IN_FLIGHT = 4
const SECONDS = 5
/** Work is shared out by tenant: with many of them, each worker gets about the same. */
const TENANTS = 40
const BACKLOG_EACH = 70
/** A worker that is new takes over its part of the tenants from the others. */
const SETTLED_MS = 8_000
const WARM_MS = 3_000
/** Longer than servers are driven: requests are published by the dozen. */
const SEALING_MS = 15_000
/** Of twice the processes, this much of twice the work; the rest is the machine's, which they share. */
const LEAST_GROWTH = 0.8

type Part = keyof typeof SHARE
/** `hold` keeps those that were added to their shares; before it they run freely, so that their code warms up soon. */
type Crew = { add(): Promise<string>; hold(): void; end(): void }

export async function measureFleet(): Promise<Line[]> {
  const bench = await openBench()
  const crews = [hire(bench, 'countersign'), hire(bench, 'sealer')] as const
  const [servers, workers] = crews
  if (servers === undefined || workers === undefined) {
    await bench.close()
    return [{ what: 'more processes', ours: 'SKIPPED: only root on Linux can give a process a share of a core' }]
  }
  try {
    const backlog = await pileUpForMany(bench)
    const [reads, creations] = await growServers(bench, servers)
    say(`${backlog} sealing requests wait`)
    const seals = await growWorkers(bench, workers)
    return [
      asLine('read a profile', 'servers', reads!),
      asLine('create', 'servers', creations!),
      asLine('seal', 'workers', seals),
    ]
  } finally {
    for (const crew of crews) crew?.end()
    await bench.close()
  }
}

/** Starts processes of one kind, each with its own share. Undefined where nobody can be held to a share. */
function hire(bench: Bench, part: Part): Crew | undefined {
  const shares: Share[] = []
  const probe = limitTo(SHARE[part], `${part}-probe`)
  if (probe === undefined) return undefined
  probe.remove()
  const names: string[] = []
  return {
    async add() {
      const name = `${part}-${names.length}`
      const origin = await bench.startServer(part, name)
      names.push(name)
      return origin
    },
    hold() {
      for (const name of names.slice(shares.length)) {
        const share = limitTo(SHARE[part], name)!
        share.hold(bench.pidOf(name))
        shares.push(share)
      }
    },
    end() {
      for (const name of names.splice(0)) bench.stopServer(name)
      const all = shares.splice(0)
      // A group goes once its last process has.
      process.once('exit', () => all.forEach((share) => share.remove()))
    },
  }
}

async function growServers(bench: Bench, crew: Crew): Promise<number[][]> {
  const origins: string[] = []
  const [reads, creations]: [number[], number[]] = [[], []]
  const { headers } = bench
  const nextBody = makeCreationBodies(1024)
  const read: Call = () => ({ path: `/user/profile/${bench.userId}`, method: 'GET', headers })
  const create: Call = () => ({ path: '/onestepsigning/signaturerequest', method: 'POST', headers, body: nextBody() })
  for (const size of SIZES) {
    while (origins.length < size) origins.push(await crew.add())
    for (const call of [read, create]) await driveAll(origins, call)
    crew.hold()
    reads.push(await driveAll(origins, read))
    creations.push(await driveAll(origins, create))
    say(`${size} servers: ${reads.at(-1)!.toFixed(0)} reads and ${creations.at(-1)!.toFixed(0)} creations a second`)
  }
  // The first one was the coldest; by now it is as warm as the others, which have nothing to do.
  const alone = origins.slice(0, 1)
  reads[0] = Math.max(reads[0]!, await driveAll(alone, read))
  creations[0] = Math.max(creations[0]!, await driveAll(alone, create))
  crew.end()
  return [reads, creations]
}

/** How many all of them answer a second. */
async function driveAll(origins: readonly string[], call: Call): Promise<number> {
  const loads = origins.map((origin) => drive(origin, call, { atOnce: IN_FLIGHT, seconds: SECONDS }))
  return (await Promise.all(loads)).reduce((sum, { perSecond }) => sum + perSecond, 0)
}

async function growWorkers(bench: Bench, crew: Crew): Promise<number[]> {
  const rates: number[] = []
  let workers = 0
  for (const size of SIZES) {
    for (; workers < size; workers++) await crew.add()
    await sleep(WARM_MS)
    crew.hold()
    await sleep(SETTLED_MS)
    const before = await countProcessed(bench)
    const startedAt = performance.now()
    await sleep(SEALING_MS)
    const sealed = (await countProcessed(bench)) - before
    rates.push(sealed / ((performance.now() - startedAt) / 1000))
    say(`${size} workers: ${rates.at(-1)!.toFixed(1)} sealed a second`)
  }
  if ((await countProcessed(bench)) >= TENANTS * BACKLOG_EACH) throw new Error('the backlog was too small')
  return rates
}

/** A backlog of many tenants, made by a server that may use the whole machine. */
async function pileUpForMany(bench: Bench): Promise<number> {
  const origin = await bench.startServer('countersign')
  for (let count = 0; count < TENANTS; count++) {
    const key = await makeTenant(bench)
    const headers = { ...bench.headers, 'ocp-apim-subscription-key': key }
    await pileUp({ headers }, origin, BACKLOG_EACH)
  }
  bench.stopServer('countersign')
  return TENANTS * BACKLOG_EACH
}

async function makeTenant({ connection }: Bench): Promise<string> {
  const db = openDatabase({ connection, role: 'countersign_request', poolSize: 1, onConnectionError: console.error })
  try {
    const tenantId = newId()
    const administrator = { email: `admin-${tenantId}@example.com`, passwordHash: 'none' }
    const { key } = await db.transaction(tenantId, (tx) =>
      createTenant(tx, { tenantId, name: 'One of many', administrator, now: new Date() }),
    )
    return key.primaryKey
  } finally {
    await db.close()
  }
}

function asLine(what: string, kind: string, rates: readonly number[]): Line {
  const [one] = rates as [number]
  const least = SIZES.map((size) => (size === 1 ? 1 : size * LEAST_GROWTH))
  const times = rates.map((rate) => rate / one)
  const list = (values: readonly number[], digits: number) => values.map((value) => value.toFixed(digits)).join(', ')
  return {
    what: `${what}, with ${SIZES.join(', ')} ${kind} of a share of a core each`,
    ours: `${list(rates, 0)}/s`,
    beside: `what one of them does`,
    ratio: `${list(times, 2)} times`,
    goal: `at least ${list(least, 1)} times`,
    isMet: times.every((time, index) => time >= least[index]!),
  }
}
