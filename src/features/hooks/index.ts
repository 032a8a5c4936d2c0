import type { Tx } from '#platform/db/database.ts'
import { countSubscriptions, disableSubscriptions, summariseStates } from './hook-statements.ts'
import { runLanes, settleLanes } from './lane-statements.ts'

export { disabledFacts } from './disabled-facts.ts'

/** Stops what the subscriptions of these departments would be told. They stay readable. */
export async function disableSubscriptionsOfDepartments(
  tx: Tx,
  { tenantId, departmentIds, now }: { tenantId: string; departmentIds: string[]; now: Date },
): Promise<void> {
  const reason = 'The department was deleted.'
  const disabled = await disableSubscriptions.many(tx, { tenantId, departmentIds, reason, now })
  const subscriptionIds = disabled.map((subscription) => subscription.id)
  await runLanes.run(tx, { tenantId, subscriptionIds, isRunning: false })
  await settleLanes.run(tx, { tenantId, subscriptionIds })
}

export { renewHookSecrets } from './renew-secrets.ts'

/** How many subscriptions a deletion of these departments would disable. */
export async function countSubscriptionsOfDepartments(
  tx: Tx,
  departments: { tenantId: string; departmentIds: string[] },
): Promise<number> {
  return (await countSubscriptions.one(tx, departments)).total
}

/** How many subscriptions of these departments (of all, where undefined) are in which state, and how many only fail. */
export function summariseSubscriptions(
  tx: Tx,
  { tenantId, departmentIds }: { tenantId: string; departmentIds: string[] | undefined },
) {
  return summariseStates.one(tx, { tenantId, departmentIds: departmentIds ?? null })
}
