import type { Static } from 'typebox'
import { recordActivity } from '#features/activity/index.ts'
import type { Content } from '#features/storage/index.ts'
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import { requireDepartment } from '#platform/auth/references.ts'
import type { Tx } from '#platform/db/database.ts'
import { entityNotFound } from '#platform/errors.ts'
import type { DocumentTemplateChange } from './schemas.ts'
import { useContent } from './template-content.ts'
import { hideDocumentTemplate, lockDocumentTemplate, updateDocumentTemplate } from './template-statements.ts'

export type ChangeDocumentTemplate = {
  caller: Caller
  templateId: string
  given: Static<typeof DocumentTemplateChange>
  content: Content | undefined
  now: Date
}

/** Changes the fields given and leaves the others. What was made from the template before is not touched. */
export async function changeDocumentTemplate(tx: Tx, change: ChangeDocumentTemplate) {
  const { caller, templateId, given, content, now } = change
  const { tenantId } = caller
  const template = await lockReachable(tx, caller, templateId)
  const departmentId = given.departmentId ?? template.departmentId
  if (departmentId !== template.departmentId) await requireDepartment(tx, { caller, departmentId })
  const documentId = await useContent(tx, { caller, departmentId, given, content, now })

  const changed = {
    departmentId,
    name: given.name ?? template.name,
    documentTypeId: given.documentTypeId ?? template.documentTypeId,
    language: given.language ?? template.language,
  }
  const templateUri = documentId ?? template.templateUri
  await updateDocumentTemplate.run(tx, { tenantId, templateId, ...changed, documentId: templateUri, now })
  await recordActivity(tx, {
    caller,
    action: 'documenttemplate.changed',
    target: { id: templateId, name: changed.name },
    departmentId,
    details: { fields: Object.keys(given) },
    now,
  })
  return { id: templateId, templateUri, ...changed }
}

/** Hides a template from everybody and answers with what it was. Its document stays: older requests may name it. */
export async function deleteDocumentTemplate(
  tx: Tx,
  { caller, templateId, now }: { caller: Caller; templateId: string; now: Date },
) {
  const template = await lockReachable(tx, caller, templateId)
  await hideDocumentTemplate.run(tx, { tenantId: caller.tenantId, templateId, now })
  const { departmentId } = template
  await recordActivity(tx, { caller, action: 'documenttemplate.deleted', target: template, departmentId, now })
  return template
}

async function lockReachable(tx: Tx, caller: Caller, templateId: string) {
  const template = await lockDocumentTemplate.maybeOne(tx, { tenantId: caller.tenantId, templateId })
  if (template === undefined) throw entityNotFound('document template', templateId)
  await requireReach(tx, caller, template.departmentId)
  return template
}
