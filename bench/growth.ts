// What calls cost in a tenant with a million signature requests, beside one with ten thousand: two databases that are
// measured in turns. `npm run bench -- growth=2000000` for another size. With BENCH_GROWTH_FOLDER the databases are kept
// there and filled further by the next run, so that a large one can be made in several sittings.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beginHistory, SYSTEM } from '#features/event/index.ts'
import { fanOut } from '#features/hooks/fan-out.ts'
import { openDatabase, type Database } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { bucketOf } from '#platform/jobs/bucket.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { listDueJobs } from '#platform/jobs/job-statements.ts'
import { makeCreationBodies } from './creation.ts'
import { EVENTS_PER_REQUEST, fill, rareWordOf, referenceOf } from './growth-rows.ts'
import { drive, median, type Call } from './load.ts'
import { say, type Line } from './table.ts'
import { openBench, type Bench } from './workbench.ts'

const FEW = 10_000
const MANY = 1_000_000
const GOAL = 1.5
const ROUNDS = 7
const SECONDS = 0.4
const TYPE = 'signaturerequestcreated'
const [DUE_JOBS, REQUESTS_AT_ONCE, REPEATS] = [20, 20, 30]

type Place = { bench: Bench; origin: string; known: string; requests: Database; worker: Database; amount: number }
/** What one call costs: by the clock, and in blocks of 8 KB that the database looked at, which no busy moment changes. */
type Cost = { ms: number; blocks: number }
/** Runs for a moment and answers with its median. */
type Measure = (place: Place) => Promise<Cost>

export async function measureGrowth(many = MANY): Promise<Line[]> {
  const places: Place[] = []
  try {
    for (const amount of [FEW, many]) places.push(await makePlace(amount))
    const [small, large] = places as [Place, Place]
    const lines: Line[] = []
    for (const [what, measure] of measurements()) lines.push(await compareCost(what, measure, small, large))
    return lines
  } finally {
    for (const { bench, requests, worker } of places) {
      await Promise.all([requests.close(), worker.close()])
      await bench.close()
    }
  }
}

async function makePlace(amount: number): Promise<Place> {
  const bench = await openBench({ keptFolder: keptFolder(amount), countsBlocks: true })
  const open = (role: 'countersign_worker' | 'countersign_request') =>
    openDatabase({ connection: bench.connection, role, poolSize: 1, onConnectionError: console.error })
  const origin = await bench.startServer('countersign')
  await fill(bench, await subscribe(bench), amount)
  const requests = open('countersign_request')
  return { bench, origin, known: await makeKnown(bench, origin), requests, worker: open('countersign_worker'), amount }
}

/** The small one under its number, and the other one, whose number grows from run to run. */
function keptFolder(amount: number): string | undefined {
  const parent = process.env.BENCH_GROWTH_FOLDER
  if (parent === undefined) return undefined
  const folder = join(parent, amount === FEW ? 'few' : 'many')
  mkdirSync(folder, { recursive: true })
  return folder
}

async function subscribe({ owner, tenantId, departmentId, userId }: Bench): Promise<string> {
  const { rows } = await owner.query<{ id: string }>('select id from hook_subscription where tenant_id = $1', [
    tenantId,
  ])
  if (rows[0] !== undefined) return rows[0].id
  const id = newId()
  await owner.query(
    `insert into hook_subscription (tenant_id, id, event_type, uri, header_names, secret, department_id, subdepartments,
            creator_id, state, created_at)
     values ($1, $2, '${TYPE}', 'https://hooks.example.com', '{}', '\\x00', $3, true, $4, 'active', now() - interval '1 hour')`,
    [tenantId, id, departmentId, userId],
  )
  return id
}

/** A request made by the API, so that there is one whose whole answer is real. */
async function makeKnown({ headers }: Bench, origin: string): Promise<string> {
  const body = new Uint8Array(makeCreationBodies(1024)())
  const response = await fetch(`${origin}/onestepsigning/signaturerequest`, { method: 'POST', headers, body })
  return ((await response.json()) as { id: string }).id
}

function measurements(): [what: string, measure: Measure][] {
  const lists: Record<string, (place: Place) => string> = {
    'the console’s overview': () => '/overview',
    'list, first page': () => '/signing/signaturerequest',
    'list, skip 9,900': () => '/signing/signaturerequest?skip=9900&take=50',
    'list by status': () => '/signing/signaturerequest?status=Open&take=50',
    'list by department': ({ bench }) => `/signing/signaturerequest?departmentId=${bench.departmentId}`,
    'list by reference': ({ amount }) => `/signing/signaturerequest?externalReference=${referenceOf(amount / 2)}`,
    'search a rare word': ({ amount }) => `/signing/signaturerequest?search=${rareWordOf(amount / 2)}`,
    'search the beginning of many words': () => '/signing/signaturerequest?search=rare000001',
    'search a word that all have': () => '/signing/signaturerequest?search=lease',
    'read a request': ({ known }) => `/signing/signaturerequest/${known}`,
    'read its history': ({ known }) => `/event/signaturerequest/${known}`,
    'follow the feed of all events': () => '/event',
  }
  const reads = Object.entries(lists).map(([what, path]): [string, Measure] => [
    what,
    (place) => call(place, path(place)),
  ])
  return [...reads, ['create', create], ['webhook fan-out, an event', fanOutEvents], ['job pick-up', pickUpJobs]]
}

async function compareCost(what: string, measure: Measure, small: Place, large: Place): Promise<Line> {
  const [few, many]: [Cost[], Cost[]] = [[], []]
  for (const place of [small, large]) await measure(place)
  const scannedBefore = await countWholeScans(large)
  for (let round = 0; round < ROUNDS; round++) {
    few.push(await measure(small))
    many.push(await measure(large))
  }
  const scanned = (await countWholeScans(large)) - scannedBefore
  const [fewCost, manyCost] = [bestOf(few), bestOf(many)]
  const times = manyCost.ms / fewCost.ms
  const blocks = `${fewCost.blocks.toFixed(0)} → ${manyCost.blocks.toFixed(0)} blocks`
  say(`${what}: ${times.toFixed(2)}, ${blocks}`)
  return {
    what: `${what} at ${large.amount.toLocaleString('en')} requests, ${(large.amount * EVENTS_PER_REQUEST).toLocaleString('en')} events`,
    ours: `${manyCost.ms.toFixed(2)} ms${scanned > 0 ? `, ${scanned} whole tables read` : ''}`,
    beside: `${fewCost.ms.toFixed(2)} ms at ${small.amount.toLocaleString('en')}; ${blocks}`,
    ratio: `${times.toFixed(2)} times`,
    goal: `at most ${GOAL} times`,
    isMet: times <= GOAL && scanned === 0,
  }
}

/** The best of several rounds: what disturbs a round is not the size of the tables. */
function bestOf(costs: Cost[]): Cost {
  return { ms: Math.min(...costs.map(({ ms }) => ms)), blocks: Math.min(...costs.map(({ blocks }) => blocks)) }
}

async function call(place: Place, path: string): Promise<Cost> {
  return drivePlace(place, () => ({ path, method: 'GET', headers: place.bench.headers }))
}

async function create(place: Place): Promise<Cost> {
  const nextBody = makeCreationBodies(1024)
  return drivePlace(place, () => ({
    path: '/onestepsigning/signaturerequest',
    method: 'POST',
    headers: place.bench.headers,
    body: nextBody(),
  }))
}

async function drivePlace({ bench, origin }: Place, next: Call): Promise<Cost> {
  const before = await countBlocks(bench)
  const { p50Ms, calls } = await drive(origin, next, { atOnce: 1, seconds: SECONDS })
  return { ms: p50Ms, blocks: ((await countBlocks(bench)) - before) / calls }
}

/** From events that wait to deliveries that wait: what the dispatcher does with a handful of new requests. */
async function fanOutEvents({ bench, requests, worker }: Place): Promise<Cost> {
  const { tenantId, departmentId, owner } = bench
  const costs: Cost[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const now = new Date()
    await owner.query('delete from outbox where tenant_id = $1', [tenantId])
    for (let count = 0; count < REQUESTS_AT_ONCE; count++) {
      const subject = { tenantId, requestId: newId(), requestKind: 'signaturerequest' as const, departmentId }
      await requests.transaction(tenantId, (tx) => beginHistory(tx, subject, [{ type: TYPE, actor: SYSTEM }], now))
    }
    const { rows } = await owner.query<{ id: string }>('select id from outbox where tenant_id = $1', [tenantId])
    const ids = rows.map(({ id }) => id)
    costs.push(
      await costOf(bench, REQUESTS_AT_ONCE, () =>
        worker.transaction(tenantId, (tx) => fanOut(tx, { tenantId, bucket: bucketOf(tenantId), ids, now })),
      ),
    )
  }
  return medianOf(costs)
}

/** The search for due jobs, with some to be found. */
async function pickUpJobs({ bench, requests, worker }: Place): Promise<Cost> {
  const { tenantId, owner } = bench
  const queue = 'bench.pick-up'
  const now = new Date()
  await requests.transaction(tenantId, async (tx) => {
    for (let count = 0; count < DUE_JOBS; count++)
      await enqueue(tx, { tenantId, queue, payload: {}, key: newId(), now })
  })
  const due = { buckets: [bucketOf(tenantId)], queues: [queue], running: [], now, most: DUE_JOBS }
  const costs: Cost[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++)
    costs.push(await costOf(bench, 1, () => worker.systemTransaction((tx) => listDueJobs.many(tx, due))))
  await owner.query('delete from job where queue = $1', [queue])
  return medianOf(costs)
}

async function costOf(bench: Bench, operations: number, work: () => Promise<unknown>): Promise<Cost> {
  const before = await countBlocks(bench)
  const startedAt = performance.now()
  await work()
  const ms = (performance.now() - startedAt) / operations
  return { ms, blocks: ((await countBlocks(bench)) - before) / operations }
}

function medianOf(costs: Cost[]): Cost {
  return { ms: median(costs.map(({ ms }) => ms)), blocks: median(costs.map(({ blocks }) => blocks)) }
}

/** Blocks that all statements so far have looked at, in memory or not. */
async function countBlocks({ owner }: Bench): Promise<number> {
  const { rows } = await owner.query<{ blocks: number }>(
    `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as blocks from pg_stat_statements
      where query not like '%pg_stat_statements%'`,
  )
  return rows[0]!.blocks
}

const GROWING = [
  'signature_request',
  'signature_request_word',
  'signatory',
  'event_chain',
  'event_feed',
  'hook_delivery',
]

/** How often a table that grows was read from end to end. The server's statistics come with a second's delay. */
async function countWholeScans({ bench: { owner } }: Place): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  await owner.query('select pg_stat_clear_snapshot()')
  const { rows } = await owner.query<{ scans: number }>(
    `select coalesce(sum(seq_scan), 0)::int as scans from pg_stat_user_tables
      where relname = any($1) or relname like 'event\\_2%' or relname like 'event\\_body\\_2%'`,
    [GROWING],
  )
  return rows[0]!.scans
}
