import type { FactsProvider } from '#features/messages/index.ts'
import { findSender, findPersonInCharge } from '#platform/auth/sender-statements.ts'
import { causeOf } from './disable-subscription.ts'
import { findSubscription } from './hook-statements.ts'

/** What its owner is told of a subscription that we disabled; nothing where it runs again by now. */
export const disabledFacts: FactsProvider = async ({ db }, { tenantId, departmentId, userId, referenceId }) => {
  if (userId === null || referenceId === null) return undefined
  return db.transaction(tenantId, async (tx) => {
    const subscription = await findSubscription.maybeOne(tx, { tenantId, subscriptionId: referenceId })
    const person = await findPersonInCharge.maybeOne(tx, { tenantId, userId })
    const sender = await findSender.maybeOne(tx, { tenantId, departmentId, userId })
    const cause = causeOf(subscription?.stateReason ?? null)
    if (!subscription || !person || !sender || !cause) return undefined
    const { id, eventType, uri } = subscription
    // An address may carry a key of the receiver's: only the host is told.
    const webhook = { id, eventType, host: new URL(uri).host, cause }
    return { address: person.email, name: person.name, sender: { ...sender, person: null }, webhook }
  })
}
