import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { readPage } from '#platform/http/paging.ts'
import { countDepartments, listDepartmentRows } from './department-statements.ts'
import type { DepartmentFilter } from './schemas.ts'

/** The departments at and below the caller's own, newest first. */
export async function listDepartments(tx: Tx, { caller, query }: { caller: Caller; query: DepartmentFilter }) {
  const page = readPage(query)
  const filter = {
    tenantId: caller.tenantId,
    above: caller.isTenantWide ? null : caller.departmentId,
    businessId: query.businessId ?? null,
    externalReference: query.externalReference ?? null,
  }
  const { total } = await countDepartments.one(tx, filter)
  return { total, items: await listDepartmentRows.many(tx, { ...filter, ...page }) }
}
