import type { Static } from 'typebox'
import { recordActivity } from '#features/activity/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { requireDepartment } from '#platform/auth/references.ts'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { MOST_TEMPLATES } from './create-document-template.ts'
import { tooManyTemplates } from './errors.ts'
import { readTemplateFields } from './request-template.ts'
import type { NewRequestTemplate } from './schemas.ts'
import { countRequestTemplates, insertRequestTemplate } from './template-statements.ts'

export type CreateRequestTemplate = { caller: Caller; given: Static<typeof NewRequestTemplate>; now: Date }

/** Makes a request template in the department named, or else in the caller's own. */
export async function createRequestTemplate(tx: Tx, { caller, given, now }: CreateRequestTemplate) {
  const { tenantId } = caller
  const { kind, name } = given
  const fields = readTemplateFields(kind, given.fields)
  const departmentId = given.departmentId ?? caller.departmentId
  await requireDepartment(tx, { caller, departmentId })
  if (fields.departmentId !== undefined) {
    await requireDepartment(tx, { caller, departmentId: fields.departmentId, field: 'fields.departmentId' })
  }
  const { total } = await countRequestTemplates.one(tx, { tenantId, departmentIds: null, kind: null })
  if (total >= MOST_TEMPLATES) throw tooManyTemplates(MOST_TEMPLATES)

  const id = newId()
  await insertRequestTemplate.run(tx, { tenantId, id, kind, departmentId, name, fields, now })
  await recordActivity(tx, { caller, action: 'requesttemplate.created', target: { id, name }, departmentId, now })
  return { id, kind, name, departmentId, fields, creationDate: now, modifiedDate: now }
}
