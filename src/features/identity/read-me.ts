import { readPerson } from '#features/onboarding/index.ts'
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
  const { isActive: _isActive, hasPassword: _hasPassword, departmentId: homeDepartmentId, ...rest } = person
  return {
    ...rest,
    tenantId,
    organisation,
    departmentName,
    departmentId: caller.departmentId,
    homeDepartmentId,
    isAdministrator: caller.role === 'administrator',
  }
}
