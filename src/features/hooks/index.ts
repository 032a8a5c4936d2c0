import type { Tx } from '#platform/db/database.ts'
import { disableSubscriptions } from './hook-statements.ts'

/** Stops what the subscriptions of these departments would be told. They stay readable. */
export async function disableSubscriptionsOfDepartments(
  tx: Tx,
  { tenantId, departmentIds, now }: { tenantId: string; departmentIds: string[]; now: Date },
): Promise<void> {
  await disableSubscriptions.run(tx, { tenantId, departmentIds, now })
}
