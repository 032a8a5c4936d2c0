import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { entityNotFound } from '#platform/errors.ts'
import { lockPerson } from './user-statements.ts'

/** A person within the caller's reach, held until the transaction ends. Service users belong to their keys. */
export async function getPerson(tx: Tx, { caller, userId }: { caller: Caller; userId: string }) {
  const person = await lockPerson.maybeOne(tx, { tenantId: caller.tenantId, userId })
  if (person === undefined) throw entityNotFound('user', userId)
  await requireReach(tx, caller, person.departmentId)
  return person
}
