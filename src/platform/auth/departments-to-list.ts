// One rule for every listing that can be narrowed to a department.
import type { Tx } from '#platform/db/database.ts'
import { notReachable } from '#platform/errors.ts'
import { findDepartmentPath } from './auth-statements.ts'
import { listReachableDepartments, type Caller } from './caller.ts'

/**
 * The departments whose things a listing shows; undefined stands for all of the tenant's. A filter names a department or
 * none: one that does not exist has nothing to show, one outside of reach is refused, a deleted one shows what is left.
 */
export async function departmentsToList(
  tx: Tx,
  { caller, departmentId }: { caller: Caller; departmentId: string | undefined },
): Promise<string[] | undefined> {
  if (departmentId === undefined) return listReachableDepartments(tx, caller)
  const found = await findDepartmentPath.maybeOne(tx, { tenantId: caller.tenantId, departmentId })
  if (found === undefined) return []
  if (!found.path.includes(caller.departmentId)) throw notReachable()
  return [departmentId]
}
