// What happens later: replays of spans of time, and forgetting what is old.
import type { Database } from '#platform/db/database.ts'
import type { JobHandler } from '#platform/jobs/worker.ts'
import type { Platform } from '#platform/platform.ts'
import { deleteOldDeliveries, deleteOldTries } from './delivery-statements.ts'
import { forgetOldSecrets, listSubscriptionIds } from './hook-statements.ts'
import { REPLAY_QUEUE, runReplay } from './replay.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DELIVERIES_LIVE_MS = 90 * DAY_MS
const TRIES_LIVE_MS = 30 * DAY_MS
/** As many as one deletion takes: then there may be more. */
const PORTION = 5000

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

/** Deletes a tenant's old deliveries and tries, and secrets whose time is over. */
export async function forgetOldDeliveries(db: Database, tenantId: string, now: Date): Promise<void> {
  await db.transaction(tenantId, (tx) => forgetOldSecrets.run(tx, { tenantId, now }))
  const subscriptions = await db.transaction(tenantId, (tx) => listSubscriptionIds.many(tx, { tenantId }))
  const ages = [
    { forget: deleteOldTries, before: new Date(now.getTime() - TRIES_LIVE_MS) },
    { forget: deleteOldDeliveries, before: new Date(now.getTime() - DELIVERIES_LIVE_MS) },
  ]
  for (const { id: subscriptionId } of subscriptions) {
    for (const { forget, before } of ages) {
      for (let gone = PORTION; gone === PORTION;) {
        gone = await db.transaction(tenantId, (tx) => forget.run(tx, { tenantId, subscriptionId, before }))
      }
    }
  }
}
