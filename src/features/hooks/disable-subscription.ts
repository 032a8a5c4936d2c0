import type { Tx } from '#platform/db/database.ts'
import { lockSubscription, setSubscriptionState } from './hook-statements.ts'
import { runLanes } from './lane-statements.ts'

const REASONS = {
  gone: 'The receiver answered 410: it is gone for good.',
  failing: 'For five days nothing but failures came back.',
} as const

export type DisableSubscription = {
  tenantId: string
  subscriptionId: string
  cause: keyof typeof REASONS
  now: Date
}

/**
 * Stops sending to a receiver that can't be reached, and writes down why, for its owner to read. What waits stays; what
 * happens from now on is not collected, but can be replayed. Telling the owner by mail is a job to be enqueued here.
 */
export async function disableSubscription(tx: Tx, disable: DisableSubscription): Promise<void> {
  const { tenantId, subscriptionId, cause, now } = disable
  const subscription = await lockSubscription.maybeOne(tx, { tenantId, subscriptionId })
  if (subscription === undefined || subscription.state === 'disabled') return
  await setSubscriptionState.run(tx, {
    tenantId,
    subscriptionId,
    state: 'disabled',
    reason: REASONS[cause],
    disabledAt: now,
  })
  await runLanes.run(tx, { tenantId, subscriptionIds: [subscriptionId], isRunning: false })
}
