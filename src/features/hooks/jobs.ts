// What happens later: replays of spans of time, and forgetting secrets that were changed.
import type { Database } from '#platform/db/database.ts'
import type { JobHandler } from '#platform/jobs/job-handler.ts'
import type { Platform } from '#platform/platform.ts'
import { forgetOldSecrets } from './hook-statements.ts'
import { REPLAY_QUEUE, runReplay } from './replay.ts'

export function hookJobs({ db, clock }: Platform): JobHandler[] {
  return [
    {
      queue: REPLAY_QUEUE,
      run: async ({ tenantId, payload }) => {
        const { subscriptionId, from, to, includeDelivered } = payload as {
          subscriptionId: string
          from: string
          to: string
          includeDelivered: boolean
        }
        const span = { from: new Date(from), to: new Date(to), includeDelivered }
        await runReplay(db, { tenantId, subscriptionId, ...span }, clock.now())
      },
    },
  ]
}

/** Forgets a tenant's secrets whose time is over. */
export async function forgetEndedSecrets(db: Database, tenantId: string, now: Date): Promise<void> {
  await db.transaction(tenantId, (tx) => forgetOldSecrets.run(tx, { tenantId, now }))
}
