// What sealing requests had on record as going to be sealed; the key is used only after that.
import type { Rows } from '../rows.ts'
import { keyOf } from './invariant.ts'

export type IntendedSeal = { id: string; sourceSha256: string }

type Told = { data?: { status?: string; documents?: Partial<IntendedSeal>[] } }

/** By tenant and request, each time that it was taken up, in their order. */
export function intendedSeals({ event, event_body: bodies }: Rows): Map<string, IntendedSeal[][]> {
  const texts = new Map(bodies.map(({ event_id: id, body }) => [id, body]))
  const intended = new Map<string, IntendedSeal[][]>()
  const moves = event.filter(({ type }) => type === 'sealingrequeststatusupdated')
  for (const { tenant_id: tenantId, request_id: requestId, id } of moves.toSorted((a, b) => a.sequence - b.sequence)) {
    const { data } = JSON.parse(texts.get(id)?.toString() ?? '{}') as Told
    if (data?.status !== 'Processing') continue
    const documents = data.documents ?? []
    const seals = documents.map((document) => ({ id: document.id ?? '', sourceSha256: document.sourceSha256 ?? '' }))
    const key = keyOf(tenantId, requestId)
    intended.set(key, [...(intended.get(key) ?? []), seals])
  }
  return intended
}
