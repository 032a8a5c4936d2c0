// A backlog of sealing requests: how fast it goes, as a share of what engine and self-check alone do on the same cores.
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findDatabaseServer, processorMsOf, processorMsOfDatabase } from './processor-time.ts'
import { samplePdf } from './sample-pdf.ts'
import { percent, type Line } from './table.ts'
import { openBench, type Bench } from './workbench.ts'

const REQUESTS = 1000
const SIZE_BYTES = 100 * 1024
const AT_ONCE = 8
/** Sealed before it counts, by the worker and by each process of the engine alone: a few after a start, and as in a worker
 *  that has been at work. Until then much of the processor's time goes to compiling what is used most. */
const WARM_UPS = [
  ['a worker that has just started', 30],
  ['a worker that has sealed before', 1000],
] as const
/** The share moves by ten points with the moment; the middle one of so many counts. */
const ROUNDS = 3
/** Looking is work for the database too. */
const LOOK_EVERY_MS = 100

/** With a size, the backlog has so many requests. */
export async function measureSealing(requests = REQUESTS): Promise<Line[]> {
  const lines: Line[] = []
  for (const [who, warmUp] of WARM_UPS) {
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureBacklog({ requests, warmUp }))
    lines.push(describe(`seal ${requests} requests of 100 KB at B-LTA, committed, ${who}`, rounds))
  }
  return lines
}

function describe(what: string, rounds: Round[]): Line {
  const inOrder = rounds.toSorted((one, other) => one.share - other.share)
  const { perSecond, workerMs, databaseMs, alone, share } = inOrder[Math.floor(rounds.length / 2)]!
  return {
    what,
    ours: `${perSecond.toFixed(0)}/s, ${workerMs.toFixed(1)} ms of processor in the worker, ${databaseMs.toFixed(1)} in the database`,
    beside: `engine and self-check alone on ${availableParallelism()} cores ${alone.perSecond.toFixed(0)}/s, ${alone.cpuMs.toFixed(1)} ms`,
    ratio: `${percent(share)} (of ${inOrder.map((one) => percent(one.share)).join(', ')})`,
    goal: 'at least 50 %',
    isMet: share >= 0.5,
  }
}

type Round = { perSecond: number; workerMs: number; databaseMs: number; alone: Speed; share: number }

async function measureBacklog({ requests, warmUp }: Backlog): Promise<Round> {
  const bench = await openBench()
  try {
    const origin = await bench.startServer('countersign')
    await pileUp(bench, origin, requests + warmUp)
    bench.stopServer('countersign')
    // Before and after: the machine may be quicker at one time than at another.
    const aloneBefore = await engineAlone({ requests, warmUp })

    await bench.startServer('sealer')
    const database = await findDatabaseServer(bench.owner)
    const used = () => ({ worker: processorMsOf(bench.pidOf('sealer')), database: processorMsOfDatabase(database) })
    const first = await untilProcessed(bench, warmUp)
    const startedAt = performance.now()
    const before = used()
    const sealed = (await untilProcessed(bench, requests + warmUp)) - first
    const perSecond = sealed / ((performance.now() - startedAt) / 1000)
    const after = used()
    const workerMs = (after.worker - before.worker) / sealed
    const databaseMs = (after.database - before.database) / sealed
    bench.stopServer('sealer')
    const alone = meanOf([aloneBefore, await engineAlone({ requests, warmUp })])
    return { perSecond, workerMs, databaseMs, alone, share: perSecond / alone.perSecond }
  } finally {
    await bench.close()
  }
}

/** So many requests that wait to be sealed. */
export async function pileUp(bench: Pick<Bench, 'headers'>, origin: string, amount: number): Promise<void> {
  for (let first = 0; first < amount; first += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, amount - first) }, (_, index) => first + index)
    await Promise.all(batch.map((number) => openSealingRequest(bench, origin, number)))
  }
}

/** One request of 100 KB, waiting to be sealed. */
async function openSealingRequest({ headers }: Pick<Bench, 'headers'>, origin: string, number: number): Promise<void> {
  const call = async (method: string, path: string, body: unknown) => {
    const reply = await fetch(origin + path, { method, headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as Record<string, string>
  }
  // One byte longer each, so that no two of them are the same.
  const pdf = samplePdf(SIZE_BYTES + number)
  const upload = await fetch(`${origin}/storage/document?fileName=report.pdf`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/pdf' },
    body: new Uint8Array(pdf),
  })
  const { uri } = (await upload.json()) as { uri: string }
  const { id } = await call('POST', '/sealing/sealingrequest', { subject: `Report ${number}` })
  await call('POST', `/sealing/sealingrequest/${id}/document`, { documentURI: uri })
  await call('PUT', `/sealing/sealingrequest/${id}`, { status: 'Open' })
}

/** Answers with how many there are once there are at least so many. */
async function untilProcessed(bench: Bench, amount: number): Promise<number> {
  for (;;) {
    const processed = await countProcessed(bench)
    if (processed >= amount) return processed
    await sleep(LOOK_EVERY_MS)
  }
}

export async function countProcessed({ owner }: Bench): Promise<number> {
  const { rows } = await owner.query(`select count(*)::int as total from sealing_request where status = 'Processed'`)
  return (rows[0] as { total: number }).total
}

type Backlog = { requests: number; warmUp: number }
type Speed = { perSecond: number; cpuMs: number }

const meanOf = (speeds: Speed[]): Speed => {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return { perSecond: mean(speeds.map((one) => one.perSecond)), cpuMs: mean(speeds.map((one) => one.cpuMs)) }
}

/** Sealed a second by as many processes as there are cores, which share as many documents as the backlog has. */
async function engineAlone({ requests, warmUp }: Backlog): Promise<Speed> {
  const script = fileURLToPath(new URL('./servers/engine-alone.ts', import.meta.url))
  const processes = availableParallelism()
  const run = async () => {
    const counts = [String(warmUp), String(Math.ceil(requests / processes))]
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...counts])
    return JSON.parse(stdout) as Speed
  }
  const each = await Promise.all(Array.from({ length: processes }, run))
  return {
    perSecond: each.reduce((sum, { perSecond }) => sum + perSecond, 0),
    cpuMs: Math.min(...each.map(({ cpuMs }) => cpuMs)),
  }
}
