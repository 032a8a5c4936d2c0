// Which field of a document each signatory fills: one that waits in it, or a new one, placed by the template or unseen.
import type { NewField } from '#pades/fields.ts'
import type { Placement } from '../new-request.ts'

export type FieldPlan = {
  /** The name of the field, by signatory. */
  bySignatory: Map<string, string>
  /** What has to be made first. */
  newFields: NewField[]
  sealField: string
}

export type FieldQuestion = {
  signatories: readonly { id: string; externalReference: string | null }[]
  emptyFields: readonly string[]
  placements: readonly Placement[]
  documentIndex: number
  pageCount: number
  requestId: string
}

/** By name where a waiting field is called like the signatory's reference, then in order, then new ones. */
export function planFields(question: FieldQuestion): FieldPlan {
  const { signatories, requestId } = question
  const bySignatory = matchWaitingFields(question)
  const sealField = `Seal-${requestId.slice(-8)}`
  const newFields: NewField[] = []
  for (const [index, { id }] of signatories.entries()) {
    if (bySignatory.has(id)) continue
    const name = `Signatory${index + 1}-${id.slice(-8)}`
    bySignatory.set(id, name)
    newFields.push({ name, ...placementOf(question, index) })
  }
  return { bySignatory, newFields: [...newFields, { name: sealField }], sealField }
}

function matchWaitingFields({ signatories, emptyFields }: FieldQuestion): Map<string, string> {
  const free = new Set(emptyFields)
  const matched = new Map<string, string>()
  for (const { id, externalReference } of signatories) {
    if (externalReference !== null && free.delete(externalReference)) matched.set(id, externalReference)
  }
  for (const { id } of signatories) {
    const [next] = free
    if (matched.has(id) || next === undefined) continue
    free.delete(next)
    matched.set(id, next)
  }
  return matched
}

/** A template may name a page that this document does not have: the signature is then unseen, as without a template. */
function placementOf({ placements, documentIndex, pageCount }: FieldQuestion, signatoryIndex: number) {
  const found = placements.find((p) => p.documentIndex === documentIndex && p.signatoryIndex === signatoryIndex)
  if (found === undefined || found.page > pageCount) return {}
  const { page, x, y, width, height } = found
  return { page, placement: { x, y, width, height } }
}
