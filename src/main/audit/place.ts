// Where an audit is: it goes through tenants, then kinds of files, then ids, each in their order.
import { isUuid } from '#platform/ids.ts'

export const KINDS = ['signaturedocument', 'evidence', 'sealingdocument'] as const
export type Kind = (typeof KINDS)[number]

/** A file; of the evidence, the id is that of its request. */
export type Place = { tenantId: string; kind: Kind; id: string }

/** Whether an audit that goes on behind a place has done with a kind of files of a tenant. */
export function isDone({ tenantId, kind }: Omit<Place, 'id'>, behind: Place | undefined): boolean {
  return behind?.tenantId === tenantId && KINDS.indexOf(kind) < KINDS.indexOf(behind.kind)
}

/** A place in one word, to be typed again. */
export function writePlace({ tenantId, kind, id }: Place): string {
  return `${tenantId}/${kind}/${id}`
}

/** What writePlace wrote; undefined where it is something else. */
export function readPlace(text: string): Place | undefined {
  const [tenantId = '', word, id = '', ...rest] = text.toLowerCase().split('/')
  const kind = KINDS.find((known) => known === word)
  return kind !== undefined && isUuid(tenantId) && isUuid(id) && rest.length === 0 ? { tenantId, kind, id } : undefined
}
