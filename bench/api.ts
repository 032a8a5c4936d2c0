// The API beside bare servers that do the least that could be called the same, in one run, in turns.
import { makeCreationBodies } from './creation.ts'
import { compare, drive, type Call, type Comparison, type Run } from './load.ts'
import { findDatabaseServer, memoryMibOf, processorMsOf, processorMsOfDatabase } from './processor-time.ts'
import { percent, say, type Line } from './table.ts'
import { openBench, type Bench } from './workbench.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 1.5)
const AT_ONCE = 16
const DOCUMENT_BYTES = 100 * 1024
/** So many calls of a kind before it counts: a server that has been up for a minute. */
const WARM_UP_CALLS = 2_000

const [OURS, BARE_CREATE, BARE_READ] = ['countersign', 'bare-create', 'bare-read'] as const
type Server = typeof OURS | typeof BARE_CREATE | typeof BARE_READ

export async function measureApi(): Promise<Line[]> {
  const bench = await openBench()
  try {
    const course = await prepare(bench)
    const memoryAtRestMib = memoryMibOf(bench.pidOf(OURS))
    const lines = [await measureCreation(course)]
    const memoryMib = memoryMibOf(bench.pidOf(OURS))
    const { id } = await createOne(course)
    const reads: [what: string, path: string, bare: string][] = [
      ['read a profile', `/user/profile/${bench.userId}`, `/profile/${bench.userId}`],
      ['read metadata', `/metadata/SignatureRequest/${id}`, `/metadata/${id}`],
      ['read a page of events', `/event/signaturerequest/${id}`, `/events/${id}`],
    ]
    for (const [what, path, bare] of reads) lines.push(await measureRead(course, { what, path, bare }))
    return [
      ...lines,
      {
        what: 'memory of the server after creations',
        ours: `${memoryMib.toFixed(0)} MiB`,
        beside: `${memoryAtRestMib.toFixed(0)} MiB at rest`,
      },
    ]
  } finally {
    await bench.close()
  }
}

type Course = { bench: Bench; origins: Record<Server, string>; databasePid: number; nextBody: () => Buffer }

async function prepare(bench: Bench): Promise<Course> {
  const origins = {
    [OURS]: await bench.startServer(OURS),
    [BARE_CREATE]: await bench.startServer(BARE_CREATE),
    [BARE_READ]: await bench.startServer(BARE_READ),
  }
  return {
    bench,
    origins,
    databasePid: await findDatabaseServer(bench.owner),
    nextBody: makeCreationBodies(DOCUMENT_BYTES),
  }
}

async function measureCreation(course: Course): Promise<Line> {
  const create = createCall(course)
  const what = 'create: two signatories, PDF of 100 KB'
  return line(what, await contest(course, { ours: create, theirs: create, peer: BARE_CREATE }), 0.6)
}

async function measureRead(
  course: Course,
  { what, path, bare }: { what: string; path: string; bare: string },
): Promise<Line> {
  const { headers } = course.bench
  const ours: Call = () => ({ path, method: 'GET', headers })
  const theirs: Call = () => ({ path: bare, method: 'GET', headers })
  await requireRows(course, bare)
  return line(what, await contest(course, { ours, theirs, peer: BARE_READ }), 0.7)
}

/** A peer that finds nothing would do less work than what it stands beside. */
async function requireRows({ bench, origins }: Course, path: string): Promise<void> {
  const response = await fetch(origins[BARE_READ] + path, { headers: bench.headers })
  const rows = (await response.json()) as unknown[]
  if (rows.length === 0) throw new Error(`The bare server found nothing at ${path}.`)
}

function createCall({ bench: { headers }, nextBody }: Course): Call {
  return () => ({ path: '/onestepsigning/signaturerequest', method: 'POST', headers, body: nextBody() })
}

/** One request with two entries of metadata. */
async function createOne(course: Course): Promise<{ id: string }> {
  const { headers } = course.bench
  const { path, body } = createCall(course)()
  const origin = course.origins[OURS]
  const response = await fetch(origin + path, { method: 'POST', headers, body: new Uint8Array(body as Buffer) })
  const { id } = (await response.json()) as { id: string }
  await fetch(`${origin}/metadata/list/SignatureRequest/${id}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ metadata: ['case', 'cost centre'].map((key) => ({ key, value: '42' })) }),
  })
  return { id }
}

async function contest(
  course: Course,
  { ours, theirs, peer }: { ours: Call; theirs: Call; peer: Server },
): Promise<Comparison> {
  const load = { atOnce: AT_ONCE, seconds: SECONDS }
  for (const [server, call] of [
    [OURS, ours],
    [peer, theirs],
  ] as const)
    await drive(course.origins[server], call, { ...load, seconds: 1, leastCalls: WARM_UP_CALLS })
  return compare({
    ours: () => run(course, OURS, ours, load),
    theirs: () => run(course, peer, theirs, load),
    rounds: ROUNDS,
  })
}

async function run(
  { bench, origins, databasePid }: Course,
  server: Server,
  call: Call,
  load: { atOnce: number; seconds: number },
): Promise<Run> {
  const used = () => processorMsOf(bench.pidOf(server)) + processorMsOfDatabase(databasePid)
  const before = used()
  const driven = await drive(origins[server], call, load)
  return { ...driven, processorMs: used() - before }
}

function line(what: string, { ours, theirs, ratio, p99Ms, oursMs, theirsMs }: Comparison, goal: number): Line {
  say(
    `${what}: p99 ${p99Ms.toFixed(1)} ms; processor time a call ${oursMs.toFixed(2)} ms, bare ${theirsMs.toFixed(2)} ms`,
  )
  return {
    what,
    ours: `${ours.toFixed(0)}/s, ${oursMs.toFixed(2)} ms of processor`,
    beside: `bare server ${theirs.toFixed(0)}/s, ${theirsMs.toFixed(2)} ms`,
    ratio: percent(ratio),
    goal: `at least ${percent(goal)}`,
    isMet: ratio >= goal,
  }
}
