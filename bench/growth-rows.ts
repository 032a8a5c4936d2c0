// Signature requests by the hundred thousand, written by the database itself, past the API: each as the product leaves
// it behind, with its signatory, document, words, history, feed and one delivery. Ids rise with time, as ours do.
import type { Client } from 'pg'
import { say } from './table.ts'
import type { Bench } from './workbench.ts'

export const EVENTS_PER_REQUEST = Number(process.env.BENCH_EVENTS_PER_REQUEST ?? 6)
/** So many requests share a reference and a rare word, at every size. */
export const SHARED_BY = 5

const BATCH = 50_000
const SPREAD_DAYS = 25
/** Jobs that were given up are kept, and are few. */
const REQUESTS_PER_DEAD_JOB = 1_000

type Owners = { tenantId: string; departmentId: string; userId: string; subscriptionId: string }

/** The reference of a request by its number. */
export const referenceOf = (number: number) => `case-${Math.floor(number / SHARED_BY)}`
/** A word that few have, and that no other word begins with. */
export const rareWordOf = (number: number) => `rare${String(Math.floor(number / SHARED_BY)).padStart(8, '0')}`

/** Fills a tenant up to so many requests, and lets the database look at what it has got. */
export async function fill({ owner, ...bench }: Bench, subscriptionId: string, amount: number): Promise<void> {
  const made = await countMade(owner, bench.tenantId)
  if (made >= amount) return
  await prepare(owner)
  const owners = { ...bench, subscriptionId }
  for (let first = made + 1; first <= amount; first += BATCH) {
    const last = Math.min(amount, first + BATCH - 1)
    await owner.query('begin')
    await makeBatch(owner, owners, { first, last, stepMs: (SPREAD_DAYS * 86_400_000) / amount })
    await owner.query('commit')
    say(`${last} of ${amount} requests`)
  }
  await owner.query('vacuum analyze')
}

/** The last number that an earlier run reached: each lot of requests appears wholly or not at all. */
async function countMade(owner: Client, tenantId: string): Promise<number> {
  const { rows } = await owner.query<{ position: number }>(
    'select coalesce(max(last_position), 0)::int as position from event_feed_head where tenant_id = $1',
    [tenantId],
  )
  return Math.ceil(rows[0]!.position / EVENTS_PER_REQUEST)
}

async function prepare(owner: Client): Promise<void> {
  // The rows are known to fit together, and what is lost in a crash is made again.
  await owner.query(`set session_replication_role = replica; set synchronous_commit = off`)
  await owner.query(
    `create or replace function pg_temp.id_of(moment_ms bigint, number int, kind int) returns uuid
       language sql immutable
       return (lpad(to_hex(moment_ms), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8' || lpad(to_hex(number), 15, '0'))::uuid`,
  )
}

type Batch = { first: number; last: number; stepMs: number }

async function makeBatch(owner: Client, owners: Owners, { first, last, stepMs }: Batch): Promise<void> {
  const { tenantId, departmentId, userId, subscriptionId } = owners
  const run = (sql: string, ...values: unknown[]) => owner.query(sql, [tenantId, ...values])
  await owner.query(
    `create temporary table made on commit drop as
       select n, ms, to_timestamp(ms / 1000.0) as at, pg_temp.id_of(ms, n, 0) as id,
              (array['Draft', 'Open', 'Canceled', 'Closed'])[1 + n % 4] as status
         from generate_series($1::int, $2::int) n, lateral (select ($4::float8 + n * $3::float8)::bigint) as t (ms)`,
    [first, last, stepMs, Date.now() - SPREAD_DAYS * 86_400_000],
  )
  await run(
    `insert into signature_request (tenant_id, id, department_id, creator_id, subject, status, reading_authentication_strength,
            signing_authentication_strength, external_reference, delivery_methods, fingerprint, created_at, modified_at)
     select $1, id, $2, $3, 'Lease number ' || n, status, 'None', 'Email', 'case-' || n / ${SHARED_BY}, '{Email}', '\\x00', at, at
       from made`,
    departmentId,
    userId,
  )
  await run(
    `insert into signatory (tenant_id, id, request_id, position, first_name, last_name, email, is_mandatory, signing_order, state)
     select $1, pg_temp.id_of(ms, n, 1), id, 0, 'Ada', 'Lovelace', 'ada@example.com', true, 1, 'Waiting' from made`,
  )
  await run(
    `insert into credential (kind, hash, tenant_id, ref_id)
     select 'link', sha256(id::text::bytea), $1, pg_temp.id_of(ms, n, 1) from made where status = 'Open'`,
  )
  await run(
    `insert into stored_document (tenant_id, id, department_id, sha256, size_bytes, content_type, file_name, creator_id, created_at)
     select $1, pg_temp.id_of(ms, n, 2), $2, sha256(n::text::bytea), 100000, 'application/pdf', 'lease.pdf', $3, at from made`,
    departmentId,
    userId,
  )
  await run(
    `insert into signature_document (tenant_id, id, request_id, position, file_name, source_document_id, document_id, sha256, level_asked)
     select $1, pg_temp.id_of(ms, n, 3), id, 0, 'lease.pdf', pg_temp.id_of(ms, n, 2), pg_temp.id_of(ms, n, 2),
            sha256(n::text::bytea), 'B-LTA' from made`,
  )
  await run(
    `insert into signature_request_word (tenant_id, word, created_at, request_id)
     select $1, word, at, id
       from made, lateral unnest(array['lease', 'number', 'lovelace', 'rare' || lpad((n / ${SHARED_BY})::text, 8, '0')]) word`,
  )
  await makeHistories(owner, owners, first)
  await run(
    `insert into hook_delivery (tenant_id, subscription_id, id, request_id, sequence, payload, state, tries, created_at, finished_at)
     select $1, $2, pg_temp.id_of(ms, n, 16), id, 1, '{}', 'delivered', 1, at, at from made`,
    subscriptionId,
  )
  await run(
    `insert into job (tenant_id, id, bucket, queue, payload, run_at, state, created_at)
     select $1, pg_temp.id_of(ms, n, 4), 0, 'bench.given-up', '{}', at, 'dead', at
       from made where n % ${REQUESTS_PER_DEAD_JOB} = 0`,
  )
  await run(
    `insert into request_count as c (tenant_id, kind, department_id, status, slot, amount)
     select $1, 'signaturerequest', $2, status, 0, count(*) from made group by status
     on conflict (tenant_id, kind, department_id, status, slot) do update set amount = c.amount + excluded.amount`,
    departmentId,
  )
}

async function makeHistories(owner: Client, { tenantId, departmentId }: Owners, first: number): Promise<void> {
  const values = [tenantId, departmentId]
  await owner.query(
    `create temporary table happened on commit drop as
       select m.n, m.id as request_id, s as sequence, m.at, pg_temp.id_of(m.ms, m.n, 15 + s) as id
         from made m, generate_series(1, ${EVENTS_PER_REQUEST}) s`,
  )
  await owner.query(
    `insert into event_chain (tenant_id, request_id, request_kind, department_id, last_sequence, first_event, last_event, last_hash, last_at)
     select $1, id, 'signaturerequest', $2, ${EVENTS_PER_REQUEST}, pg_temp.id_of(ms, n, 16),
            pg_temp.id_of(ms, n, 15 + ${EVENTS_PER_REQUEST}), sha256(id::text::bytea), at from made`,
    values,
  )
  await owner.query(
    `insert into event (tenant_id, id, request_id, request_kind, sequence, type, at, department_id, department_path, body_hash, previous_hash, hash)
     select $1, id, request_id, 'signaturerequest', sequence, 'signaturerequestcreated', at, $2, array[$2]::uuid[], h, h, h
       from happened, lateral (select sha256(n::text::bytea)) as hashed (h)`,
    values,
  )
  await owner.query(
    `insert into event_body (tenant_id, event_id, salt, body)
     select $1, id, '\\x00112233445566778899aabbccddeeff', '{"actor":{"kind":"system","id":null},"data":{}}' from happened`,
    [tenantId],
  )
  await owner.query(
    `insert into event_feed (tenant_id, position, event_id, department_id)
     select $1, $3 + row_number() over (order by n, sequence), id, $2 from happened`,
    [...values, (first - 1) * EVENTS_PER_REQUEST],
  )
  await owner.query(
    `insert into event_feed_head as h (tenant_id, last_position) select $1, $2 + count(*) from happened
     on conflict (tenant_id) do update set last_position = excluded.last_position`,
    [tenantId, (first - 1) * EVENTS_PER_REQUEST],
  )
}
