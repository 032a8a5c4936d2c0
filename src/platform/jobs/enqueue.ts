// Jobs are rows, written in the transaction that wants them: they exist exactly if the change that asked for them does.
import { integer, json, nullable, text, time, uuid } from '#platform/db/columns.ts'
import type { Tx } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { newId } from '#platform/ids.ts'
import { bucketOf } from './bucket.ts'

export type NewJob = {
  tenantId: string
  queue: string
  payload: Record<string, unknown>
  /** Jobs of one queue with the same key run one after the other, in the order in which they were written. */
  key?: string
  now: Date
  /** Not before this moment; at once where it is absent. */
  runAt?: Date
}

/** Asks for work to be done once this transaction has committed. It runs at least once: handlers check what is already done. */
export async function enqueue(tx: Tx, { tenantId, queue, payload, key, now, runAt }: NewJob): Promise<void> {
  const inserted = insertJob.run(tx, {
    tenantId,
    id: newId(),
    bucket: bucketOf(tenantId),
    queue,
    payload,
    key: key ?? null,
    runAt: runAt ?? now,
    now,
  })
  tx.withoutWaiting(inserted)
  tx.wakeWorkers()
}

/** The same for several jobs of one tenant. */
export async function enqueueAll(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  const rows = jobs.map(({ queue, payload, key, now, runAt }) => ({
    id: newId(),
    queue,
    payload,
    key: key ?? null,
    runAt: runAt ?? now,
    now,
  }))
  if (jobs.length === 0) return
  const { tenantId } = jobs[0]!
  tx.withoutWaiting(insertJobs.run(tx, { tenantId, bucket: bucketOf(tenantId), jobs: rows }))
  tx.wakeWorkers()
}

/** The same, for work that may be waiting for its next try already: that try then comes now. */
export async function hasten(tx: Tx, job: NewJob & { key: string }): Promise<void> {
  const { tenantId, queue, key, now } = job
  if ((await hastenJob.run(tx, { tenantId, queue, key, now })) === 0) return enqueue(tx, job)
  tx.wakeWorkers()
}

const hastenJob = statement({
  name: 'hastenJob',
  params: { tenantId: uuid, queue: text, key: text, now: time },
  sql: `update job set run_at = :now
         where tenant_id = :tenantId and queue = :queue and key = :key and state = 'waiting'`,
})

const insertJob = statement({
  name: 'insertJob',
  params: {
    tenantId: uuid,
    id: uuid,
    bucket: integer,
    queue: text,
    payload: json<Record<string, unknown>>(),
    key: nullable(text),
    runAt: time,
    now: time,
  },
  sql: `insert into job (tenant_id, id, bucket, queue, payload, key, run_at, created_at)
        values (:tenantId, :id, :bucket::smallint, :queue, :payload, :key, :runAt, :now)`,
})

type JobRow = { id: string; queue: string; payload: unknown; key: string | null; runAt: Date; now: Date }

const insertJobs = statement({
  name: 'insertJobs',
  params: { tenantId: uuid, bucket: integer, jobs: json<JobRow[]>() },
  sql: `insert into job (tenant_id, id, bucket, queue, payload, key, run_at, created_at)
        select :tenantId, j.id, :bucket::smallint, j.queue, j.payload, j.key, j."runAt", j.now
          from jsonb_to_recordset(:jobs::jsonb)
            as j (id uuid, queue text, payload jsonb, key text, "runAt" timestamptz, now timestamptz)`,
})
