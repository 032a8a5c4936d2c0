import type { Tx } from '#platform/db/database.ts'
import { bucketOf } from './bucket.ts'
import { measureTenantJobs, type measureQueues } from './job-statements.ts'

/** A worker takes what is due within a second; a minute of waiting is no accident. */
export const LONG_WAIT_MS = 60_000

export type Queue = Awaited<ReturnType<typeof measureQueues.many>>[number]

/** What a tenant's jobs are doing: how many are due (to a bound), given up, and how long the oldest has waited. */
export async function measureJobsOf(tx: Tx, { tenantId, now }: { tenantId: string; now: Date }) {
  const { due, dead, oldestDueAt } = await measureTenantJobs.one(tx, { tenantId, bucket: bucketOf(tenantId), now })
  const lagMs = oldestDueAt === null ? 0 : now.getTime() - oldestDueAt.getTime()
  return { due, dead, lagSeconds: Math.max(0, Math.floor(lagMs / 1000)) }
}

/** What the jobs of all tenants are doing, and in which queue the oldest has waited the longest. */
export function summariseQueues(queues: readonly Queue[], now: Date) {
  const waits = queues.flatMap(({ queue, oldestDueAt }) =>
    oldestDueAt === null ? [] : [{ queue, waitMs: Math.max(0, now.getTime() - oldestDueAt.getTime()) }],
  )
  return {
    waiting: queues.reduce((sum, queue) => sum + queue.waiting, 0),
    dead: queues.reduce((sum, queue) => sum + queue.dead, 0),
    longest: waits.reduce((one, other) => (one.waitMs >= other.waitMs ? one : other), { queue: '', waitMs: 0 }),
  }
}
