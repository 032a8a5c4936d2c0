// The log over all events: how fast the sequencer gives waiting events their places, beside its limits, the hashing alone
// and the tree alone.
import { randomBytes } from 'node:crypto'
import { appendWaiting } from '#features/history/append-waiting.ts'
import { GrowingTree, hashLeaf, hashNode } from '#features/history/merkle-tree.ts'
import { openDatabase, type Database } from '#platform/db/database.ts'
import { makeKeyring } from '#platform/secrets/keyring.ts'
import { openBench, type Bench } from './workbench.ts'

const EVENTS = Number(process.env.BENCH_EVENTS ?? 100_000)
const TENANTS = 50
const keyring = makeKeyring('the secret key of the benchmark is long enough')

export async function measureSequencer(): Promise<void> {
  console.log('\nsequencer')
  const hashes = Array.from({ length: EVENTS }, () => randomBytes(32))
  row('SHA-256 alone, a leaf and a node for each event', perSecond(measureHashing(hashes)))
  row('the tree alone, in memory', perSecond(measureTree(hashes)))
  const bench = await openBench()
  const connection = { connection: bench.connection, poolSize: 2, onConnectionError: console.error }
  const db = openDatabase({ ...connection, role: 'countersign_worker' })
  try {
    await fillQueue(bench, 10_000)
    await drain(db)
    await fillQueue(bench, EVENTS)
    const { seconds, cpuMicroseconds } = await drain(db)
    row('from the queue to signed checkpoints', `${perSecond(seconds)} (goal 15,000)`)
    row('  of which in this process', `${(cpuMicroseconds / EVENTS).toFixed(1)} µs CPU an event`)
  } finally {
    await db.close()
    await bench.close()
  }
}

function measureHashing(hashes: Buffer[]): number {
  const startedAt = performance.now()
  for (const hash of hashes) hashNode(hashLeaf(hash), hash)
  return (performance.now() - startedAt) / 1000
}

function measureTree(hashes: Buffer[]): number {
  const startedAt = performance.now()
  const tree = new GrowingTree(0, () => Buffer.alloc(0))
  for (let start = 0; start < hashes.length; start += 2_000) {
    tree.append(hashes.slice(start, start + 2_000).map(hashLeaf))
    tree.root()
  }
  return (performance.now() - startedAt) / 1000
}

/** Events of several tenants as they wait, eight for each request. */
async function fillQueue({ owner }: Bench, events: number): Promise<void> {
  await owner.query(
    `with tenant_of as materialized (select n, gen_random_uuid() as id from generate_series(0, ${TENANTS - 1}) n),
          request_of as materialized (select n, gen_random_uuid() as id from generate_series(0, $1::int / 8) n)
     insert into log_queue (tenant_id, event_id, request_id, request_kind, sequence, at, hash, stamp_soon)
     select t.id, gen_random_uuid(), r.id, 'signaturerequest', g % 8 + 1, now() + g * interval '1 millisecond',
            sha256(g::text::bytea), false
       from generate_series(0, $1::int - 1) g
       join request_of r on r.n = g / 8
       join tenant_of t on t.n = g / 8 % ${TENANTS}`,
    [events],
  )
  await owner.query('analyze log_queue')
}

async function drain(db: Database): Promise<{ seconds: number; cpuMicroseconds: number }> {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  let known: GrowingTree | undefined
  for (;;) {
    const before = known
    const step = await db.systemTransaction((tx) => appendWaiting(tx, { keyring, known: before, now: new Date() }))
    known = step.tree
    if (step.count === 0) break
  }
  const used = process.cpuUsage(cpu)
  return { seconds: (performance.now() - startedAt) / 1000, cpuMicroseconds: used.user + used.system }
}

const perSecond = (seconds: number) => `${Math.round(EVENTS / seconds).toLocaleString('en')} events a second`

function row(what: string, figure: string): void {
  console.log(`  ${what.padEnd(52)} ${figure}`)
}
