import { listDepartments, readPerson } from '#features/onboarding/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { findOrganisation } from '#platform/auth/organisation-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import { invariantBroken } from '#platform/errors.ts'

/** Who the caller is, and the department that the token acts for. */
export async function readMe(tx: Tx, { caller }: { caller: Caller }) {
  const { tenantId, userId } = caller
  const person = await readPerson(tx, { tenantId, userId })
  if (person === undefined) throw invariantBroken('a live token names nobody')
  const { organisation, departmentName } = await findOrganisation.one(tx, {
    tenantId,
    departmentId: caller.departmentId,
  })
  const { isActive: _isActive, hasPassword: _hasPassword, hasSecondFactor: _factor, departmentId, ...rest } = person
  return {
    ...rest,
    tenantId,
    organisation,
    departmentName,
    departmentId: caller.departmentId,
    homeDepartmentId: departmentId,
    isAdministrator: caller.role === 'administrator',
  }
}

type OwnDepartments = { caller: Caller; query: { skip?: number; take?: number } }

/** The names of the departments that the caller acts for, for whoever may not manage them. */
export async function listOwnDepartments(tx: Tx, { caller, query }: OwnDepartments) {
  const { total, items } = await listDepartments(tx, { caller, query })
  return { total, items: items.map(({ id, name, parentDepartmentId }) => ({ id, name, parentDepartmentId })) }
}
