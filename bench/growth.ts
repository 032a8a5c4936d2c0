// What calls cost at ten thousand and at a million signature requests in one tenant, in one run on one database.
// The rows are made in bulk, past the API; the calls go through it. BENCH_MANY=100000 makes it quicker.
import type pg from 'pg'
import { makeCreation } from './creation.ts'
import { drive, type Call } from './load.ts'
import { openBench, type Bench } from './workbench.ts'

const FEW = 10_000
const MANY = Number(process.env.BENCH_MANY ?? 1_000_000)
const GOAL = 1.5

export async function measureGrowth(): Promise<void> {
  const bench = await openBench()
  try {
    const origin = await bench.startServer('countersign')
    const { id: known } = await createOne(origin, bench)
    await fill(bench, FEW)
    const few = await measure(origin, bench, known)
    await fill(bench, MANY - FEW)
    const many = await measure(origin, bench, known)
    console.log(`\ncalls at ${MANY} requests beside ${FEW} (median ms, goal at most ${GOAL} times)`)
    for (const [what, ms] of few) {
      const ratio = many.get(what)! / ms
      console.log(
        `${what.padEnd(40)} ${ms.toFixed(2).padStart(8)} ${many.get(what)!.toFixed(2).padStart(8)} ${ratio.toFixed(2).padStart(6)}`,
      )
    }
  } finally {
    await bench.close()
  }
}

async function createOne(origin: string, { headers }: Bench): Promise<{ id: string }> {
  const response = await fetch(`${origin}/onestepsigning/signaturerequest`, {
    method: 'POST',
    headers,
    body: JSON.stringify(makeCreation(1024)),
  })
  return (await response.json()) as { id: string }
}

async function measure(origin: string, { headers, departmentId }: Bench, known: string): Promise<Map<string, number>> {
  const calls: Record<string, string> = {
    'list, first page': '/signing/signaturerequest',
    'list, skip 9,900': '/signing/signaturerequest?skip=9900&take=50',
    'list by status': '/signing/signaturerequest?status=Open&take=50',
    'list by department': `/signing/signaturerequest?departmentId=${departmentId}`,
    'list by reference': '/signing/signaturerequest?externalReference=growth-77',
    'search, a rare word': '/signing/signaturerequest?search=rare77',
    'search, a word that all have': '/signing/signaturerequest?search=lease',
    'read one': `/signing/signaturerequest/${known}`,
    'its history': `/event/signaturerequest/${known}`,
  }
  const medians = new Map<string, number>()
  for (const [what, path] of Object.entries(calls)) {
    const call: Call = () => ({ path, method: 'GET', headers })
    await drive(origin, call, { atOnce: 1, seconds: 0.3 })
    medians.set(what, (await drive(origin, call, { atOnce: 1, seconds: 1.5 })).p50Ms)
  }
  const create: Call = () => ({
    path: '/onestepsigning/signaturerequest',
    method: 'POST',
    headers,
    body: JSON.stringify(makeCreation(1024)),
  })
  medians.set('create', (await drive(origin, create, { atOnce: 1, seconds: 2 })).p50Ms)
  return medians
}

const BATCH = 100_000

/** Requests with a signatory, words and two events each, made by the database itself. */
async function fill({ owner, tenantId, departmentId, userId }: Bench, amount: number): Promise<void> {
  for (let left = amount; left > 0; left -= BATCH) {
    await owner.query('begin')
    await fillBatch(owner, { tenantId, departmentId, userId, amount: Math.min(left, BATCH) })
    await owner.query('commit')
    process.stderr.write(`\r${amount - Math.max(0, left - BATCH)} of ${amount} rows `)
  }
  process.stderr.write('\n')
  await owner.query('vacuum analyze')
}

async function fillBatch(
  owner: pg.Client,
  {
    tenantId,
    departmentId,
    userId,
    amount,
  }: { tenantId: string; departmentId: string; userId: string; amount: number },
): Promise<void> {
  await owner.query(
    `create temporary table made on commit drop as
       select n, first_id_at(now() - (n || ' milliseconds')::interval) as base, gen_random_uuid() as id,
              now() - (n || ' seconds')::interval as at, (array['Draft', 'Open', 'Canceled', 'Closed'])[1 + n % 4] as status
         from generate_series(1, $1::int) n`,
    [amount],
  )
  const who = [tenantId, departmentId, userId]
  await owner.query(
    `insert into signature_request (tenant_id, id, department_id, creator_id, subject, status, reading_authentication_strength,
            signing_authentication_strength, external_reference, delivery_methods, fingerprint, created_at, modified_at)
     select $1, id, $2, $3, 'Lease number ' || n, status, 'None', 'Email', 'growth-' || n % 1000, '{Email}', '\\x00', at, at from made`,
    who,
  )
  await owner.query(
    `insert into signatory (tenant_id, id, request_id, position, first_name, last_name, email, is_mandatory, signing_order, state)
     select $1, gen_random_uuid(), id, 0, 'Ada', 'Lovelace', 'ada@example.com', true, 1, 'Waiting' from made`,
    [tenantId],
  )
  await owner.query(
    `insert into signature_request_word (tenant_id, word, created_at, request_id)
     select $1, word, at, id from made, lateral unnest(array['lease', 'number', 'lovelace', 'rare' || n % 5000]) word`,
    [tenantId],
  )
  await owner.query(
    `insert into event_chain (tenant_id, request_id, request_kind, department_id, last_sequence, first_event, last_event, last_hash, last_at)
     select $1, id, 'signaturerequest', $2, 2, id, id, sha256(id::text::bytea), at from made`,
    [tenantId, departmentId],
  )
  await owner.query(
    `insert into event (tenant_id, id, request_id, request_kind, sequence, type, at, department_id, department_path, body_hash, previous_hash, hash)
     select $1, gen_random_uuid(), id, 'signaturerequest', s, 'signaturerequestcreated', at, $2, array[$2]::uuid[], '\\x00', '\\x00', '\\x00'
       from made, generate_series(1, 2) s`,
    [tenantId, departmentId],
  )
  await owner.query(
    `insert into request_count as c (tenant_id, kind, department_id, status, slot, amount)
     select $1, 'signaturerequest', $2, status, 0, count(*) from made group by status
     on conflict (tenant_id, kind, department_id, status, slot) do update set amount = c.amount + excluded.amount`,
    [tenantId, departmentId],
  )
}
