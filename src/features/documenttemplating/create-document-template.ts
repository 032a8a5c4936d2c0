import type { Static } from 'typebox'
import { recordActivity } from '#features/activity/index.ts'
import type { Content } from '#features/storage/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { requireDepartment } from '#platform/auth/references.ts'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { contentMissing, tooManyTemplates } from './errors.ts'
import type { NewDocumentTemplate } from './schemas.ts'
import { useContent } from './template-content.ts'
import { countDocumentTemplates, insertDocumentTemplate } from './template-statements.ts'

// Listings count the templates, so there must be an end to them. Calls at the same moment may pass it by a few.
export const MOST_TEMPLATES = 5000

export type CreateDocumentTemplate = {
  caller: Caller
  given: Static<typeof NewDocumentTemplate>
  content: Content | undefined
  now: Date
}

/** Makes a document template in the department named, or else in the caller's own. */
export async function createDocumentTemplate(tx: Tx, { caller, given, content, now }: CreateDocumentTemplate) {
  const { tenantId } = caller
  const departmentId = given.departmentId ?? caller.departmentId
  await requireDepartment(tx, { caller, departmentId })
  const { total } = await countDocumentTemplates.one(tx, { tenantId, departmentIds: null })
  if (total >= MOST_TEMPLATES) throw tooManyTemplates(MOST_TEMPLATES)
  const documentId = await useContent(tx, { caller, departmentId, given, content, now })
  if (documentId === undefined) throw contentMissing()

  const id = newId()
  const { name, documentTypeId = null, language = null } = given
  await insertDocumentTemplate.run(tx, { tenantId, id, departmentId, name, documentId, documentTypeId, language, now })
  await recordActivity(tx, { caller, action: 'documenttemplate.created', target: { id, name }, departmentId, now })
  return { id, name, templateUri: documentId, departmentId, documentTypeId, language }
}
