import { enqueue } from '#platform/jobs/enqueue.ts'
import type { JobHandler } from '#platform/jobs/job-handler.ts'
import type { Platform } from '#platform/platform.ts'
import { listDue } from './renewal-statements.ts'
import { renewFile, type Publishers } from './renew-file.ts'

const RENEW_QUEUE = 'renewal.renew'
/** Asked for at a time; the next round takes the next ones. */
const BATCH = 500

export function renewalJobs(platform: Platform, publishers: Publishers): JobHandler[] {
  return [{ queue: RENEW_QUEUE, run: (job) => renewFile(platform, job, publishers) }]
}

/** Asks for every file whose day has come to be renewed. One that is asked for twice is renewed once. */
export async function askForRenewals(
  { db }: Platform,
  { tenantId, now }: { tenantId: string; now: Date },
): Promise<number> {
  return db.transaction(tenantId, async (tx) => {
    const due = await listDue.many(tx, { tenantId, now, take: BATCH })
    for (const { kind, id } of due) {
      await enqueue(tx, { tenantId, queue: RENEW_QUEUE, key: `${kind} ${id}`, payload: { kind, id }, now })
    }
    return due.length
  })
}
