import { LANGUAGES } from '#i18n/languages.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { notReachable } from '#platform/errors.ts'
import { findDepartment } from './department-statements.ts'
import { findTenant } from './tenant-statements.ts'

/** What holds for the whole tenant; only callers who reach all of it may see it. */
export async function readTenant(tx: Tx, { caller }: { caller: Caller }) {
  if (!caller.isTenantWide) throw notReachable()
  const { tenantId, departmentId: rootDepartmentId } = caller
  const { settings, ...tenant } = await findTenant.one(tx, { tenantId })
  const { retentionDays } = await findDepartment.one(tx, { tenantId, departmentId: rootDepartmentId })
  const { personalIdentifierInCertificates = false } = settings
  return { ...tenant, personalIdentifierInCertificates, rootDepartmentId, retentionDays, languages: [...LANGUAGES] }
}
