// A signatory's place in a request: all that the person's page is made from.
import { findSender } from '#platform/auth/sender-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { findLink } from '../link-statements.ts'
import type { Flow, FlowDocument, FlowPerson } from './flow.ts'
import { findFlow, findRequestOfSignatory, listPeople } from './flow-statements.ts'
import { listCurrentDocuments, listRevisions } from './document-statements.ts'

export type Place = {
  flow: Flow
  person: FlowPerson
  people: FlowPerson[]
  documents: FlowDocument[]
  /** Every revision since the documents were prepared, so that one that was shown can be fetched again. */
  revisions: Awaited<ReturnType<typeof listRevisions.many>>
  sender: { organisation: string; department: string; person: string | null } | undefined
}

/** Everything around a signatory; undefined where there is no such signatory. */
export async function findPlaceOf(
  tx: Tx,
  { tenantId, signatoryId }: { tenantId: string; signatoryId: string },
): Promise<Place | undefined> {
  const found = await findRequestOfSignatory.maybeOne(tx, { tenantId, signatoryId })
  if (found === undefined) return undefined
  const key = { tenantId, requestId: found.requestId }
  const [flow, people, documents, revisions] = await Promise.all([
    findFlow.one(tx, key),
    listPeople.many(tx, key),
    listCurrentDocuments.many(tx, key),
    listRevisions.many(tx, key),
  ])
  const { departmentId, creatorId: userId } = flow
  const sender = await findSender.maybeOne(tx, { tenantId, departmentId, userId })
  const person = people.find(({ id }) => id === signatoryId)!
  return { flow, person, people, documents, revisions, sender }
}

/** Whose link a token is or was. Only its hash is stored, so that is what is looked for. */
export async function whoseLink(
  tx: Tx,
  { token, now }: { token: string; now: Date },
): Promise<{ tenantId: string; signatoryId: string; isAlive: boolean } | undefined> {
  return findLink.maybeOne(tx, { hash: secretHash(token), now })
}
