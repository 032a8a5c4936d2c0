import { findRequestTemplate } from '#features/documenttemplating/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { referenceNotFound } from '#platform/errors.ts'
import type { GivenRequest } from './given-request.ts'

/** What was given, with the gaps filled from the template that it names, where it names one. */
export async function fillFromTemplate(
  tx: Tx,
  { caller, given }: { caller: Caller; given: GivenRequest },
): Promise<GivenRequest> {
  const templateId = given.sealingRequestTemplateId
  if (templateId === undefined) return given
  const template = await findRequestTemplate(tx, { caller, templateId, kind: 'sealing' })
  if (template === undefined) throw referenceNotFound('sealingRequestTemplateId', 'sealing request template')
  // A request begins as a Draft whatever its template says: its documents can only come after it.
  const { status: _, ...preset } = template.fields
  return { ...preset, ...given }
}
