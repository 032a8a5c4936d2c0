import type { Tx } from '#platform/db/database.ts'
import { bucketOf } from './bucket.ts'
import { measureTenantJobs } from './job-statements.ts'

/** What a tenant's jobs are doing: how many are due (to a bound), given up, and how long the oldest has waited. */
export async function measureJobsOf(tx: Tx, { tenantId, now }: { tenantId: string; now: Date }) {
  const { due, dead, oldestDueAt } = await measureTenantJobs.one(tx, { tenantId, bucket: bucketOf(tenantId), now })
  const lagMs = oldestDueAt === null ? 0 : now.getTime() - oldestDueAt.getTime()
  return { due, dead, lagSeconds: Math.max(0, Math.floor(lagMs / 1000)) }
}
