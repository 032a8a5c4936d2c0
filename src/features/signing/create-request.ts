import { takeInvitations } from '#features/abuse/index.ts'
import { changeCounts } from '#features/counts/index.ts'
import {
  actorOf,
  beginHistories,
  beginHistory,
  type Actor,
  type NewEvent,
  type Subject,
} from '#features/event/index.ts'
import { keepDocumentsOfMany } from '#features/storage/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { referenceNotFound } from '#platform/errors.ts'
import { documentRows, requestRows, type WithDocuments } from './creation-rows.ts'
import { findFingerprint, insertRequests, insertSignatureDocuments, isNotAllMade } from './creation-statements.ts'
import { idTaken } from './errors.ts'
import { askToPrepare } from './flow/prepare-documents.ts'
import { countAsked } from './opening-rules.ts'
import type { CreateRequest, NewRequest, NewSignatureDocument } from './new-request.ts'
import { statusUpdated } from './record-move.ts'

/** The level that every document is meant to reach: it can be validated for decades. */
const LEVEL_ASKED = 'B-LTA'

/** Writes a new request with all that belongs to it; throws where its id is taken. */
export async function createRequest(tx: Tx, creation: CreateRequest): Promise<void> {
  if (!creation.isIdChosen) return createRequests(tx, [creation])
  const { caller, request, now } = creation
  await writeRequest(tx, creation)
  await beginHistory(tx, subjectOf(creation), firstEvents(request, actorOf(caller)), now)
  await writeRest(tx, caller.tenantId, [creation])
}

/** Writes new requests of one tenant, whose ids nobody chose. All of them or none: one that can't be made is refused. */
export async function createRequests(tx: Tx, creations: readonly CreateRequest[]): Promise<void> {
  const { tenantId } = creations[0]!.caller
  // New ids are nobody's, so all that follows goes ahead in the same message.
  tx.withoutWaiting(insertAll(tx, creations))
  beginHistories(
    tx,
    creations.map((creation) => ({
      subject: subjectOf(creation),
      events: firstEvents(creation.request, actorOf(creation.caller)),
      now: creation.now,
    })),
  )
  await writeRest(tx, tenantId, creations)
}

async function writeRequest(tx: Tx, creation: CreateRequest): Promise<void> {
  const { made } = await insertRequests.one(tx, requestRows([creation]))
  if (made === 1) return
  const { caller, request } = creation
  const known = await findFingerprint.maybeOne(tx, { tenantId: caller.tenantId, requestId: request.id })
  throw known === undefined ? departmentGone() : idTaken()
}

async function insertAll(tx: Tx, creations: readonly CreateRequest[]): Promise<void> {
  await insertRequests.one(tx, requestRows(creations)).catch((error: unknown) => {
    throw isNotAllMade(error) ? departmentGone() : error
  })
}

const departmentGone = () => referenceNotFound('departmentId', 'department')

/** What hangs on requests. The counters come last, because everybody who creates in a department shares them. */
async function writeRest(tx: Tx, tenantId: string, creations: readonly CreateRequest[]): Promise<void> {
  writeDocuments(tx, tenantId, creations)
  const opened = creations.filter(({ request }) => request.status === 'Open')
  await askToPrepare(
    tx,
    opened.map(({ request, now }) => ({ tenantId, requestId: request.id, now })),
  )
  const changes = creations.map(({ request: { departmentId, status } }) => ({ departmentId, status, by: 1 }))
  await changeCounts(tx, tenantId, 'signaturerequest', changes)
  const { platform, now } = creations[0]!
  const amount = opened.reduce((sum, { request }) => sum + countAsked(request), 0)
  takeInvitations(tx, platform, { tenantId, amount, now })
}

/** Writes the documents of requests that have none. */
export function writeDocuments(tx: Tx, tenantId: string, bare: readonly WithDocuments[]): void {
  const { stored, documents } = documentRows(bare)
  if (documents.length === 0) return
  tx.withoutWaiting(keepDocumentsOfMany(tx, tenantId, stored))
  tx.withoutWaiting(insertSignatureDocuments.run(tx, { tenantId, levelAsked: LEVEL_ASKED, documents }))
}

function subjectOf({ caller: { tenantId }, request: { id: requestId, departmentId } }: CreateRequest): Subject {
  return { tenantId, requestId, requestKind: 'signaturerequest', departmentId }
}

function tellDocument({ fileName, content, repaired, activeContent }: NewSignatureDocument) {
  return {
    fileName,
    sha256: content.sha256,
    ...(repaired && { repaired: { sha256: repaired.sha256, writtenBy: repaired.writtenBy } }),
    ...(activeContent.length > 0 && { activeContent }),
  }
}

/** What the history keeps of a request's content: how many people, and which documents by their hashes. */
export function tellContent({ creatorId, documents, signatories }: Omit<NewRequest, 'fingerprint'>) {
  return { creatorId, signatories: signatories.length, documents: documents.map(tellDocument) }
}

function firstEvents(request: NewRequest, actor: Actor): NewEvent[] {
  const { creatorId, status } = request
  const created: NewEvent = { type: 'signaturerequestcreated', actor, data: { ...tellContent(request), status } }
  if (status === 'Draft') return [created]
  const opened: NewEvent = { type: 'signaturerequestopened', actor, data: { creatorId } }
  return [created, opened, statusUpdated({ actor, creatorId, from: 'Draft', to: 'Open' })]
}

/** Whether this very call has made the request before: then it gets its first answer again, for ever. */
export async function isRepeatedCall(
  tx: Tx,
  { tenantId, requestId, fingerprint }: { tenantId: string; requestId: string; fingerprint: Buffer },
): Promise<boolean> {
  const made = await findFingerprint.maybeOne(tx, { tenantId, requestId })
  return made !== undefined && made.fingerprint.equals(fingerprint)
}
