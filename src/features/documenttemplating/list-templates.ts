import type { Caller } from '#platform/auth/caller.ts'
import { departmentsToList } from '#platform/auth/departments-to-list.ts'
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
  const departmentIds = (await departmentsToList(tx, { caller, departmentId })) ?? null
  const filter = { tenantId: caller.tenantId, departmentIds }
  const { total } = await countDocumentTemplates.one(tx, filter)
  return { total, items: await documentTemplatePage.many(tx, { ...filter, ...page }) }
}

/** The request templates within reach, newest first; of one department or one kind alone where it is named. */
export async function listRequestTemplates(
  tx: Tx,
  { caller, departmentId, kind, page }: ListTemplates & { kind: RequestTemplateKind | undefined },
) {
  const departmentIds = (await departmentsToList(tx, { caller, departmentId })) ?? null
  const filter = { tenantId: caller.tenantId, departmentIds, kind: kind ?? null }
  const { total } = await countRequestTemplates.one(tx, filter)
  return { total, items: await requestTemplatePage.many(tx, { ...filter, ...page }) }
}
