import type { Tx } from '#platform/db/database.ts'
import { countTroubled } from './message-statements.ts'

/** How many messages of these departments (of all, where undefined) could not be delivered, or wait in the outbox. */
export function countTroubledMessages(
  tx: Tx,
  { tenantId, departmentIds }: { tenantId: string; departmentIds: string[] | undefined },
) {
  return countTroubled.one(tx, { tenantId, departmentIds: departmentIds ?? null })
}
