// The log over all events: how fast the sequencer gives waiting events their places, beside its limits, the hashing alone
// and the tree alone.
import { randomBytes } from 'node:crypto'
import { appendWaiting } from '#features/history/append-waiting.ts'
import { GrowingTree, hashLeaf, hashNode } from '#features/history/merkle-tree.ts'
import { openDatabase, type Database } from '#platform/db/database.ts'
import { makeKeyring } from '#platform/secrets/keyring.ts'
import { findDatabaseServer, processorMsOf, processorMsOfDatabase } from './processor-time.ts'
import { percent, type Line } from './table.ts'
import { openBench, type Bench } from './workbench.ts'

const TENANTS = 50
const keyring = makeKeyring('the secret key of the benchmark is long enough')

/** Measures with so many events. */
export async function measureSequencer(events = 100_000): Promise<Line[]> {
  const hashes = Array.from({ length: events }, () => randomBytes(32))
  measureHashing(hashes)
  const hashing = events / measureHashing(hashes)
  const tree = events / measureTree(hashes)
  const bench = await openBench()
  const connection = { connection: bench.connection, poolSize: 2, onConnectionError: console.error }
  const db = openDatabase({ ...connection, role: 'countersign_worker' })
  try {
    const server = await findDatabaseServer(bench.owner)
    const processorMs = () => processorMsOf(process.pid) + processorMsOfDatabase(server)
    await fillQueue(bench, 10_000)
    await drain(db)
    await fillQueue(bench, events)
    const before = processorMs()
    const whole = events / (await drain(db))
    const microseconds = ((processorMs() - before) * 1000) / events
    return [
      { what: 'the tree of the log, in memory', ours: rate(tree), beside: `${rate(hashing)}: two SHA-256 for each` },
      {
        what: 'the log: from the queue to signed checkpoints',
        ours: `${rate(whole)}, ${microseconds.toFixed(0)} µs of processor for each`,
        beside: `${rate(tree)}: the tree alone`,
        ratio: percent(whole / tree),
        goal: '15,000 events/s',
        isMet: whole >= 15_000,
      },
    ]
  } finally {
    await db.close()
    await bench.close()
  }
}

const rate = (perSecond: number) => `${Math.round(perSecond).toLocaleString('en')} events/s`

/** In seconds, as everything below. */
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

async function drain(db: Database): Promise<number> {
  const startedAt = performance.now()
  let known: GrowingTree | undefined
  for (;;) {
    const before = known
    const step = await db.systemTransaction((tx) => appendWaiting(tx, { keyring, known: before, now: new Date() }))
    known = step.tree
    if (step.count === 0) return (performance.now() - startedAt) / 1000
  }
}
