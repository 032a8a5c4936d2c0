// A person says: I sign what I was shown. Written down at once; the signature itself is made by the worker.
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { notAsked, shownAgain, wrongStatus } from '../errors.ts'
import { getLockedFlow, isRunning } from './flow.ts'
import { findRequestOfSignatory, listPeople } from './flow-statements.ts'
import { insertConfirmation, type Authentication, type Mark, type ShownDocument } from './confirmation-statements.ts'
import { listCurrentDocuments, listRevisions } from './document-statements.ts'
import { isAsked } from './people.ts'

export const SIGN_QUEUE = 'signer.sign'

export type ConfirmSigning = {
  tenantId: string
  signatoryId: string
  sessionId: string
  /** The hash of each document's bytes as they were shown. */
  documents: readonly { id: string; sha256: string }[]
  mark: Mark | undefined
  authentication: Authentication
  now: Date
}

/** Records the confirmation and has the signature made. Confirming twice is confirming once. */
export async function confirmSigning(tx: Tx, confirmation: ConfirmSigning): Promise<void> {
  const { tenantId, signatoryId, sessionId, mark, authentication, now } = confirmation
  const { requestId } = await findRequestOfSignatory.one(tx, { tenantId, signatoryId })
  const flow = await getLockedFlow(tx, { tenantId, requestId })
  const people = await listPeople.many(tx, { tenantId, requestId })
  const person = people.find(({ id }) => id === signatoryId)!
  if (person.state === 'Signed' || person.hasConfirmed) return
  if (!isRunning(flow, now)) throw wrongStatus(flow.status === 'Open' ? 'expired' : flow.status, 'signed')
  if (!isAsked(person)) throw notAsked()

  const documents = await requireShown(tx, { tenantId, requestId, documents: confirmation.documents })
  await insertConfirmation.run(tx, {
    tenantId,
    signatoryId,
    requestId,
    sessionId,
    documents,
    authentication,
    mark: mark ?? null,
    now,
  })
  await enqueue(tx, { tenantId, queue: SIGN_QUEUE, payload: { requestId, signatoryId }, key: requestId, now })
}

type Shown = { tenantId: string; requestId: string; documents: ConfirmSigning['documents'] }

/** Every document of the request, each in a revision of ours: later ones only add signatures to it. */
async function requireShown(tx: Tx, { tenantId, requestId, documents }: Shown): Promise<ShownDocument[]> {
  const [current, revisions] = await Promise.all([
    listCurrentDocuments.many(tx, { tenantId, requestId }),
    listRevisions.many(tx, { tenantId, requestId }),
  ])
  if (documents.length !== current.length) throw shownAgain()
  return current.map(({ id }) => {
    const sha256 = documents.find((document) => document.id === id)?.sha256.toLowerCase()
    const revision = revisions.find((r) => r.documentId === id && r.sha256.toString('hex') === sha256)
    if (sha256 === undefined || revision === undefined) throw shownAgain()
    return { id, sha256, sizeBytes: revision.sizeBytes }
  })
}
