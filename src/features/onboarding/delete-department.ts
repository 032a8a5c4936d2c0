import { recordActivity } from '#features/activity/index.ts'
import * as certificates from '#features/certificates/index.ts'
import * as documenttemplating from '#features/documenttemplating/index.ts'
import * as hooks from '#features/hooks/index.ts'
import * as sealing from '#features/sealing/index.ts'
import * as signing from '#features/signing/index.ts'
import type { Authenticator } from '#platform/auth/authenticate.ts'
import { isPerson, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { deleteInvitations, deleteKeyCredentials } from './credential-statements.ts'
import { lockSubtree, markDepartmentsDeleted } from './department-statements.ts'
import { getDepartment, lockTree } from './department-tree.ts'
import { departmentNotEmpty, rootStays } from './errors.ts'
import { revokeKeysOfDepartments } from './key-statements.ts'
import { deleteLoginPlaces } from './login-place-statements.ts'
import { deleteUsersOfDepartments, hasPeople } from './user-statements.ts'
import { keepUserWords } from './user-word-statements.ts'

export type DeleteDepartment = {
  caller: Caller
  departmentId: string
  isForced: boolean
  authenticator: Authenticator
  now: Date
}

/**
 * Deletes a department; with force, everything below it and in it too. Its finished requests stay readable from above,
 * what is being signed or sealed at this moment is finished first. Answers with the department as it was.
 */
export async function deleteDepartment(
  tx: Tx,
  { caller, departmentId, isForced, authenticator, now }: DeleteDepartment,
) {
  const { tenantId } = caller
  const rootId = await lockTree(tx, tenantId)
  const {
    path: _path,
    subscriptionTier: _tier,
    retentionDays: _days,
    ...department
  } = await getDepartment(tx, {
    caller,
    departmentId,
  })
  if (department.id === rootId) throw rootStays('deleted')
  const departmentIds = (await lockSubtree.many(tx, { tenantId, departmentId: department.id })).map((row) => row.id)
  if (!isForced) await requireEmpty(tx, { tenantId, departmentIds })

  await stopWork(tx, { caller, departmentIds, now })
  await shutOut(tx, { tenantId, departmentIds, now })
  await markDepartmentsDeleted.run(tx, { tenantId, departmentIds, now })
  await recordActivity(tx, {
    caller,
    action: 'department.deleted',
    target: department,
    departmentId: department.parentDepartmentId ?? rootId,
    details: { departments: departmentIds.length },
    now,
  })
  tx.afterCommit(() => authenticator.forget())
  return department
}

type Departments = { tenantId: string; departmentIds: string[] }

async function requireEmpty(tx: Tx, departments: Departments): Promise<void> {
  if (departments.departmentIds.length > 1) throw departmentNotEmpty('sub-departments')
  if ((await hasPeople.one(tx, departments)).isThere) throw departmentNotEmpty('users')
  if (await signing.hasRequestsInDepartments(tx, departments)) throw departmentNotEmpty('signature requests')
  if (await sealing.hasRequestsInDepartments(tx, departments)) throw departmentNotEmpty('sealing requests')
}

async function stopWork(
  tx: Tx,
  { caller, departmentIds, now }: { caller: Caller; departmentIds: string[]; now: Date },
): Promise<void> {
  const { tenantId } = caller
  const actor = { kind: isPerson(caller) ? ('user' as const) : ('key' as const), id: caller.userId }
  await signing.cancelRequestsOfDepartments(tx, { tenantId, departmentIds, actor, now })
  await sealing.cancelRequestsOfDepartments(tx, { tenantId, departmentIds, actor, now })
  await hooks.disableSubscriptionsOfDepartments(tx, { tenantId, departmentIds, now })
  await certificates.revokeSealsOfDepartments(tx, { tenantId, departmentIds, now })
  await documenttemplating.hideTemplatesOfDepartments(tx, { tenantId, departmentIds, now })
}

async function shutOut(tx: Tx, { tenantId, departmentIds, now }: Departments & { now: Date }): Promise<void> {
  const keys = await revokeKeysOfDepartments.many(tx, { tenantId, departmentIds, now })
  await deleteKeyCredentials.run(tx, { tenantId, keyIds: keys.map((key) => key.id) })
  const users = await deleteUsersOfDepartments.many(tx, { tenantId, departmentIds, now })
  const userIds = users.map((user) => user.id)
  await deleteInvitations.run(tx, { tenantId, userIds })
  await deleteLoginPlaces.run(tx, { tenantId, userIds })
  await keepUserWords.run(tx, { tenantId, userIds })
}
