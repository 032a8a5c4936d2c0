// The revisions of a document, from the one that was prepared to the sealed one.
import type { Rows } from '../rows.ts'
import type { World } from '../world.ts'
import { keyOf } from './invariant.ts'

export type Revision = Rows['signature_revision'][number]

/** In their order, by tenant and document. */
export function revisionsOf({ rows }: World): Map<string, Revision[]> {
  const sorted = rows.signature_revision.toSorted((a, b) => a.number - b.number)
  return Map.groupBy(sorted, (revision) => keyOf(revision.tenant_id, revision.document_id))
}

export const isSignature = ({ kind }: Revision) => kind === 'signature' || kind === 'seal'
