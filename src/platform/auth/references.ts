// Departments and users that a body names: they must be there, and the caller must be allowed to name them.
import type { Tx } from '#platform/db/database.ts'
import { referenceNotFound } from '#platform/errors.ts'
import { creatorNotAllowed } from './auth-errors.ts'
import { findLivingUser, holdLivingDepartment } from './auth-statements.ts'
import { requireReach, type Caller } from './caller.ts'

/** Passes where the department exists within the caller's reach, and keeps it there until the transaction ends. */
export async function requireDepartment(
  tx: Tx,
  { caller, departmentId, field = 'departmentId' }: { caller: Caller; departmentId: string; field?: string },
): Promise<void> {
  const found = await holdLivingDepartment.maybeOne(tx, { tenantId: caller.tenantId, departmentId })
  if (found === undefined) throw referenceNotFound(field, 'department')
  await requireReach(tx, caller, departmentId)
}

/** Passes where the user exists within reach, and the caller may act in that user's name: ordinary users only in their own. */
export async function requireCreator(
  tx: Tx,
  { caller, creatorId, field = 'creatorId' }: { caller: Caller; creatorId: string; field?: string },
): Promise<void> {
  if (creatorId === caller.userId) return
  const found = await findLivingUser.maybeOne(tx, { tenantId: caller.tenantId, userId: creatorId })
  if (found === undefined) throw referenceNotFound(field, 'user')
  if (caller.role === 'user') throw creatorNotAllowed(field)
  await requireReach(tx, caller, found.departmentId)
}
