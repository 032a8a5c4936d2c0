import { recordActivity } from '#features/activity/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'

export type SubscriptionDeed = {
  caller: Caller
  deed: 'created' | 'deleted' | 'paused' | 'resumed' | 'rotated' | 'tested' | 'replayed'
  subscription: { id: string; uri: string; eventType: string; departmentId: string }
  now: Date
}

/** Writes down what somebody did to a subscription. Its address may carry a key of the receiver's: only the host is kept. */
export async function recordSubscriptionDeed(tx: Tx, { caller, deed, subscription, now }: SubscriptionDeed) {
  const { id, uri, eventType, departmentId } = subscription
  await recordActivity(tx, {
    caller,
    action: `subscription.${deed}`,
    target: { id, name: `${eventType} to ${new URL(uri).host}` },
    departmentId,
    now,
  })
}
