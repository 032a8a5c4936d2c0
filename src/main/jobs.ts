// What the worker does: the jobs of every feature, and what recurs.
import { forgetEnded } from '#features/identity/index.ts'
import { forgetOldDeliveries, hookJobs } from '#features/hooks/jobs.ts'
import { listTenants } from '#features/onboarding/index.ts'
import { purgeOrphanedContent, purgeUploads } from '#features/storage/index.ts'
import { deleteExpiredCredentials } from '#platform/auth/auth-statements.ts'
import { deleteOldAnswers } from '#platform/http/idempotency.ts'
import type { JobHandler } from '#platform/jobs/worker.ts'
import type { RecurringTask } from '#platform/jobs/schedule.ts'
import type { Platform } from '#platform/platform.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export function jobHandlers(platform: Platform): JobHandler[] {
  return [...hookJobs(platform)]
}

export function recurringTasks(platform: Platform): RecurringTask[] {
  const { db } = platform
  return [
    {
      name: 'forget old idempotent answers',
      everyMs: 10 * MINUTE_MS,
      run: (now) => forEachTenant(platform, (tenantId) => forgetAnswers(tenantId, now)),
    },
    {
      name: 'forget ended logins',
      everyMs: 10 * MINUTE_MS,
      run: (now) =>
        forEachTenant(platform, (tenantId) => db.transaction(tenantId, (tx) => forgetEnded(tx, { tenantId, now }))),
    },
    {
      name: 'purge uploads that nothing uses',
      everyMs: 60 * MINUTE_MS,
      run: (now) => forEachTenant(platform, (tenantId) => purgeUploads(platform, { tenantId, now })),
    },
    {
      name: 'remove documents without a record',
      everyMs: DAY_MS,
      run: (now) => forEachTenant(platform, (tenantId) => purgeOrphanedContent(platform, { tenantId, now })),
    },
    {
      name: 'forget old deliveries',
      everyMs: DAY_MS,
      run: (now) => forEachTenant(platform, (tenantId) => forgetOldDeliveries(db, tenantId, now)),
    },
    {
      name: 'forget expired credentials',
      everyMs: 10 * MINUTE_MS,
      run: async (now) => void (await db.systemTransaction((tx) => deleteExpiredCredentials.run(tx, { now }))),
    },
  ]

  async function forgetAnswers(tenantId: string, now: Date): Promise<void> {
    const before = new Date(now.getTime() - DAY_MS)
    await db.transaction(tenantId, (tx) => deleteOldAnswers.run(tx, { tenantId, before }))
  }
}

async function forEachTenant({ db }: Platform, work: (tenantId: string) => Promise<unknown>): Promise<void> {
  const tenants = await db.systemTransaction((tx) => listTenants.many(tx, {}))
  for (const { id } of tenants) await work(id)
}
