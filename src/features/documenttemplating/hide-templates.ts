import type { Tx } from '#platform/db/database.ts'
import {
  countDocumentTemplates,
  countRequestTemplates,
  hideDocumentTemplatesOfDepartments,
  hideRequestTemplatesOfDepartments,
} from './template-statements.ts'

/** Hides every template of departments that are being deleted. Requests that were made from them are not touched. */
export async function hideTemplatesOfDepartments(
  tx: Tx,
  { tenantId, departmentIds, now }: { tenantId: string; departmentIds: string[]; now: Date },
): Promise<void> {
  await hideDocumentTemplatesOfDepartments.run(tx, { tenantId, departmentIds, now })
  await hideRequestTemplatesOfDepartments.run(tx, { tenantId, departmentIds, now })
}

/** How many templates of both kinds that would be. */
export async function countTemplatesOfDepartments(
  tx: Tx,
  departments: { tenantId: string; departmentIds: string[] },
): Promise<number> {
  const documents = await countDocumentTemplates.one(tx, departments)
  const requests = await countRequestTemplates.one(tx, { ...departments, kind: null })
  return documents.total + requests.total
}
