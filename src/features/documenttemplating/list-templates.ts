import { findLivingDepartment } from '#platform/auth/auth-statements.ts'
import { listReachableDepartments, requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Page } from '#platform/http/paging.ts'
import type { RequestTemplateKind } from './request-template.ts'
import {
  countDocumentTemplates,
  countRequestTemplates,
  listDocumentTemplates as documentTemplatePage,
  listRequestTemplates as requestTemplatePage,
} from './template-statements.ts'

export type ListTemplates = { caller: Caller; departmentId: string | undefined; page: Page }

/** The document templates within reach, newest first; of one department alone where one is named. */
export async function listDocumentTemplates(tx: Tx, { caller, departmentId, page }: ListTemplates) {
  const filter = { tenantId: caller.tenantId, departmentIds: await departmentsToList(tx, caller, departmentId) }
  const { total } = await countDocumentTemplates.one(tx, filter)
  return { total, items: await documentTemplatePage.many(tx, { ...filter, ...page }) }
}

/** The request templates within reach, newest first; of one department or one kind alone where it is named. */
export async function listRequestTemplates(
  tx: Tx,
  { caller, departmentId, kind, page }: ListTemplates & { kind: RequestTemplateKind | undefined },
) {
  const departmentIds = await departmentsToList(tx, caller, departmentId)
  const filter = { tenantId: caller.tenantId, departmentIds, kind: kind ?? null }
  const { total } = await countRequestTemplates.one(tx, filter)
  return { total, items: await requestTemplatePage.many(tx, { ...filter, ...page }) }
}

/** Null stands for the whole tenant. A department that does not exist has no templates; one outside reach is refused. */
async function departmentsToList(tx: Tx, caller: Caller, departmentId: string | undefined): Promise<string[] | null> {
  if (departmentId === undefined) return (await listReachableDepartments(tx, caller)) ?? null
  const department = await findLivingDepartment.maybeOne(tx, { tenantId: caller.tenantId, departmentId })
  if (department === undefined) return []
  await requireReach(tx, caller, departmentId)
  return [departmentId]
}
