import { listReachableDepartments, requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Page } from '#platform/http/paging.ts'
import { isUuid } from '#platform/ids.ts'
import { subscriptionNotFound } from './errors.ts'
import { recordSubscriptionDeed } from './record-deed.ts'
import { deleteLane } from './lane-statements.ts'
import { burySubscription, countSubscriptions, findSubscription, listSubscriptions } from './hook-statements.ts'

export type NamedSubscription = {
  caller: Caller
  subscriptionId: string
  /** Must be the subscription's own, where given. */
  eventType: string | undefined
}

/** The subscription that the id names, within the caller's reach. */
export async function getSubscription(tx: Tx, { caller, subscriptionId, eventType }: NamedSubscription) {
  const found = isUuid(subscriptionId)
    ? await findSubscription.maybeOne(tx, { tenantId: caller.tenantId, subscriptionId })
    : undefined
  if (found === undefined) throw subscriptionNotFound(subscriptionId)
  await requireReach(tx, caller, found.departmentId)
  if (eventType !== undefined && eventType.toLowerCase() !== found.eventType) throw subscriptionNotFound(subscriptionId)
  return found
}

/** Ends a subscription for good. */
export async function deleteSubscription(tx: Tx, { now, ...named }: NamedSubscription & { now: Date }): Promise<void> {
  const subscription = await getSubscription(tx, named)
  const { id: subscriptionId } = subscription
  const buried = await burySubscription.run(tx, { tenantId: named.caller.tenantId, subscriptionId, now })
  if (buried === 0) throw subscriptionNotFound(subscriptionId)
  await deleteLane.run(tx, { tenantId: named.caller.tenantId, subscriptionId })
  await recordSubscriptionDeed(tx, { caller: named.caller, deed: 'deleted', subscription, now })
}

/** The subscriptions within reach, newest first. */
export async function listReachableSubscriptions(tx: Tx, { caller, page }: { caller: Caller; page: Page }) {
  const { tenantId } = caller
  const departmentIds = (await listReachableDepartments(tx, caller)) ?? null
  const { total } = await countSubscriptions.one(tx, { tenantId, departmentIds })
  return { total, items: await listSubscriptions.many(tx, { tenantId, departmentIds, ...page }) }
}
