// The tree of departments: what may hang below what.
import type { Caller } from '#platform/auth/caller.ts'
import { requireReach } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { entityNotFound, referenceNotFound } from '#platform/errors.ts'
import { isUuid } from '#platform/ids.ts'
import { findDepartment, lockRoot } from './department-statements.ts'
import { tooDeep } from './errors.ts'

/** Bounds the length of a path, and with it the cost of every question about reach. */
export const MOST_LEVELS = 32

/** Lets the tree's shape be changed by one transaction at a time; answers with the root's id. */
export async function lockTree(tx: Tx, tenantId: string): Promise<string> {
  const { id } = await lockRoot.one(tx, { tenantId })
  return id
}

/** A department within the caller's reach. Ids of other tenants and things that are no ids are unknown alike. */
export async function getDepartment(tx: Tx, { caller, departmentId }: { caller: Caller; departmentId: string }) {
  const found = isUuid(departmentId)
    ? await findDepartment.maybeOne(tx, { tenantId: caller.tenantId, departmentId })
    : undefined
  if (found === undefined) throw entityNotFound('department', departmentId)
  await requireReach(tx, caller, found.id)
  return found
}

/** The department that a new or moved one is to hang below, which the caller named in `field`. */
export async function getParent(
  tx: Tx,
  { caller, parentId, field }: { caller: Caller; parentId: string; field: string },
) {
  const parent = await findDepartment.maybeOne(tx, { tenantId: caller.tenantId, departmentId: parentId })
  if (parent === undefined) throw referenceNotFound(field, 'department')
  await requireReach(tx, caller, parent.id)
  return parent
}

export function requireLevels(levels: number, field: string): void {
  if (levels > MOST_LEVELS) throw tooDeep(field, MOST_LEVELS)
}
