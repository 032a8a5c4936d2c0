import type { Tx } from '#platform/db/database.ts'
import { findPerson } from './user-statements.ts'

/** A person of the tenant, as an administrator would see them; undefined where the id names none. */
export function readPerson(tx: Tx, { tenantId, userId }: { tenantId: string; userId: string }) {
  return findPerson.maybeOne(tx, { tenantId, userId })
}
