// The server may not look at the jobs of all tenants. The worker does, and leaves what it found for the server to tell.
import type { Platform } from '#platform/platform.ts'
import { keepMeasurement } from '#platform/troubles/trouble-statements.ts'
import { TROUBLE } from '#platform/troubles/trouble-names.ts'
import { noteTrouble } from '#platform/troubles/troubles.ts'
import { measureQueues } from './job-statements.ts'
import { LONG_WAIT_MS, summariseQueues } from './measure-jobs.ts'

/** Measures how much waits and for how long, and lets readiness know where that is too long. */
export async function watchQueues({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const { waiting, dead, longest } = await db.systemTransaction(async (tx) => {
    const summary = summariseQueues(await measureQueues.many(tx, { now }), now)
    const seconds = Math.floor(summary.longest.waitMs / 1000)
    await keepMeasurement.run(tx, { name: 'jobs_waiting', value: summary.waiting })
    await keepMeasurement.run(tx, { name: 'jobs_given_up', value: summary.dead })
    await keepMeasurement.run(tx, { name: 'queue_lag_seconds', value: seconds })
    return summary
  })
  const { queue, waitMs } = longest
  const isLate = waitMs > LONG_WAIT_MS
  const detail = `${waiting} jobs waiting, ${dead} given up; ${queue} is ${Math.floor(waitMs / 1000)} s late`
  await noteTrouble({ db, clock }, TROUBLE.queue, isLate ? detail : undefined)
}
