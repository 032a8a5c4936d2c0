import { continueHistory, SYSTEM } from '#features/event/index.ts'
import { sendMessage } from '#features/messages/index.ts'
import { listPeopleInCharge } from '#platform/auth/sender-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import { findSubscription, lockSubscription, setSubscriptionState } from './hook-statements.ts'
import { runLanes, settleLanes } from './lane-statements.ts'

const REASONS = {
  gone: 'The receiver answered 410: it is gone for good.',
  failing: 'For five days nothing but failures came back.',
} as const

export type Cause = keyof typeof REASONS

/** Why we disabled a subscription; undefined where we did not. */
export function causeOf(stateReason: string | null): Cause | undefined {
  return (Object.keys(REASONS) as Cause[]).find((cause) => REASONS[cause] === stateReason)
}

export type DisableSubscription = { tenantId: string; subscriptionId: string; cause: Cause; now: Date }

/**
 * Stops sending to a receiver that can't be reached, writes down why, and tells its owner by mail and everybody by an
 * event. What waits stays; what happens from now on is not collected, but can be replayed.
 */
export async function disableSubscription(tx: Tx, disable: DisableSubscription): Promise<void> {
  const { tenantId, subscriptionId, cause, now } = disable
  const held = await lockSubscription.maybeOne(tx, { tenantId, subscriptionId })
  if (held === undefined || held.state === 'disabled') return
  const reason = REASONS[cause]
  await setSubscriptionState.run(tx, { tenantId, subscriptionId, state: 'disabled', reason, disabledAt: now })
  const subscriptionIds = [subscriptionId]
  await runLanes.run(tx, { tenantId, subscriptionIds, isRunning: false })
  await settleLanes.run(tx, { tenantId, subscriptionIds })
  await tell(tx, disable, held.creatorId)
}

async function tell(tx: Tx, { tenantId, subscriptionId, cause, now }: DisableSubscription, creatorId: string) {
  const { departmentId, eventType } = (await findSubscription.maybeOne(tx, { tenantId, subscriptionId }))!
  const subject = { tenantId, requestId: subscriptionId, requestKind: 'subscription', departmentId } as const
  const data = { creatorId, eventType, cause }
  await continueHistory(tx, subject, [{ type: 'subscriptiondisabled', actor: SYSTEM, data }], now)
  const inCharge = await listPeopleInCharge.many(tx, { tenantId, departmentId, creatorId })
  const owner = inCharge.find((person) => person.id === creatorId)
  for (const { id: userId, language } of owner ? [owner] : inCharge) {
    const message = { tenantId, departmentId, userId, referenceId: subscriptionId, language: language ?? 'en', now }
    await sendMessage(tx, { ...message, kind: 'webhookdisabled', channel: 'email' })
  }
}
