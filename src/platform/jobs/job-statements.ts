// Only the holder of a bucket serves its jobs, so nothing here fights over rows. Whatever ends a job checks the lease
// once more: a worker that was paused and comes back too late changes nothing.
import { count, integer, integers, json, nullable, text, texts, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

// The offset keeps it a question about each job. A join would begin with the leases, all of which one worker may hold, and
// look for the jobs once for each of them.
const HOLDS_LEASE = `exists (select from bucket_lease l where l.bucket = job.bucket and l.owner = :owner
                                and l.generation = :generation and l.expires_at > now() offset 0)`

const IS_FIRST_OF_KEY = `(key is null or not exists (
                  select from job earlier
                   where earlier.tenant_id = job.tenant_id and earlier.queue = job.queue and earlier.key = job.key
                     and earlier.state = 'waiting' and earlier.id < job.id))`

/**
 * Due jobs of the buckets held; of those with the same key only the first. Buckets take turns, each with its oldest, so that
 * a tenant who sends thousands makes few others wait. No more than so many of each are looked at, however many wait.
 */
export const listDueJobs = statement({
  name: 'listDueJobs',
  spansTenants: true,
  params: { buckets: integers, queues: texts, running: uuids, now: time, most: integer },
  row: {
    tenantId: uuid,
    id: uuid,
    bucket: integer,
    queue: text,
    payload: json<Record<string, unknown>>(),
    key: nullable(text),
    attempt: integer,
    claims: integer,
    createdAt: time,
  },
  sql: `select tenant_id as "tenantId", id, bucket, queue, payload, key, attempt, claims, created_at as "createdAt"
          from unnest(:buckets::smallint[]) as held (place)
         cross join lateral (
                select job.*, row_number() over (order by run_at, id) as turn
                  from job
                 where bucket = place and state = 'waiting' and run_at <= :now
                   and queue = any(:queues) and id <> all(:running::uuid[])
                   and ${IS_FIRST_OF_KEY}
                 order by run_at, id
                 limit :most) due
         order by turn, run_at, id
         limit :most`,
})

/** Written down before they are begun: whoever finds them again knows that they were begun and not ended. */
export const claimJobs = statement({
  name: 'claimJobs',
  params: { tenantId: uuid, ids: uuids, owner: uuid, generation: count },
  sql: `update job set claims = claims + 1 where tenant_id = :tenantId and id = any(:ids) and ${HOLDS_LEASE}`,
})

export const deleteJobs = statement({
  name: 'deleteJobs',
  params: { tenantId: uuid, ids: uuids, owner: uuid, generation: count },
  sql: `delete from job where tenant_id = :tenantId and id = any(:ids) and ${HOLDS_LEASE}`,
})

export const postponeJob = statement({
  name: 'postponeJob',
  params: { tenantId: uuid, id: uuid, owner: uuid, generation: count, runAt: time, error: text },
  sql: `update job set attempt = attempt + 1, claims = 0, run_at = :runAt, last_error = :error
         where tenant_id = :tenantId and id = :id and ${HOLDS_LEASE}`,
})

export const buryJob = statement({
  name: 'buryJob',
  params: { tenantId: uuid, id: uuid, owner: uuid, generation: count, error: text },
  sql: `update job set attempt = attempt + 1, state = 'dead', last_error = :error
         where tenant_id = :tenantId and id = :id and ${HOLDS_LEASE}`,
})

/** What waits behind an earlier one of its key is not late: that one is, if anybody. */
export const measureQueues = statement({
  name: 'measureQueues',
  spansTenants: true,
  params: { now: time },
  row: { queue: text, waiting: count, dead: count, oldestDueAt: nullable(time) },
  sql: `select queue, count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'dead') as dead,
               min(run_at) filter (where state = 'waiting' and run_at <= :now and ${IS_FIRST_OF_KEY}) as "oldestDueAt"
          from job group by queue`,
})

/** Each figure stops at a thousand; the oldest is found by the index of what is due. */
export const measureTenantJobs = statement({
  name: 'measureTenantJobs',
  params: { tenantId: uuid, bucket: integer, now: time },
  row: { due: count, dead: count, oldestDueAt: nullable(time) },
  sql: `select (select count(*)
                  from (select from job where tenant_id = :tenantId and bucket = :bucket and state = 'waiting'
                                          and run_at <= :now limit 1000) as few) as due,
               (select count(*)
                  from (select from job where tenant_id = :tenantId and state = 'dead' limit 1000) as few) as dead,
               (select run_at from job where tenant_id = :tenantId and bucket = :bucket and state = 'waiting'
                                         and run_at <= :now order by run_at limit 1) as "oldestDueAt"`,
})
