import { changeCounts } from '#features/counts/index.ts'
import { actorOf, beginHistory, type Actor, type NewEvent } from '#features/event/index.ts'
import { keepDocuments } from '#features/storage/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { referenceNotFound } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import type { DeliveryMethod, Strength } from './authentication.ts'
import {
  findFingerprint,
  insertRequest,
  insertSignatureDocuments,
  isNothingMade,
  type Placement,
} from './creation-statements.ts'
import { idTaken } from './errors.ts'
import { askToPrepare } from './flow/prepare-documents.ts'
import { FIRST_GENERATION, linkHash } from './links.ts'
import { DEFAULT_LIFETIME_MS } from './opening-rules.ts'
import { statusUpdated } from './record-move.ts'
import { wordsOfRequest } from './request-words.ts'

export type NewSignatory = {
  firstName: string | null
  lastName: string | null
  email: string | null
  mobilePhone: string | null
  isMandatory: boolean
  authenticationAreaCode: string | null
  personalIdentifier: string | null
  signingOrder: number
  externalReference: string | null
}

export type NewSignatureDocument = {
  title: string | null
  fileName: string
  documentTypeId: string | null
  externalReference: string | null
  contentType: string
  /** The document as it was given: a blob that is committed already. */
  content: Content
  /** What is signed instead, where the document had to be written anew; committed as well. */
  repaired: (Content & { writtenBy: string }) | undefined
  /** Scripts and the like that were let through. */
  activeContent: readonly string[]
}

type Content = { sha256: string; sizeBytes: number }

/** A request that has been checked: what is Open can be opened, and every id in it points at something. */
export type NewRequest = {
  id: string
  departmentId: string
  creatorId: string
  templateId: string | null
  subject: string
  status: 'Draft' | 'Open'
  languageCode: string | null
  readingStrength: Strength
  signingStrength: Strength
  externalReference: string | null
  expirationAt: Date | null
  deliveryMethods: DeliveryMethod[]
  placements: Placement[] | null
  signatories: NewSignatory[]
  documents: NewSignatureDocument[]
  /** Of the call that makes it. */
  fingerprint: Buffer
}

export type CreateRequest = {
  caller: Caller
  request: NewRequest
  /** Whether somebody chose its id, who may have chosen it before. */
  isIdChosen: boolean
  keyring: Keyring
  now: Date
}

/** The level that every document is meant to reach: it can be validated for decades. */
const LEVEL_ASKED = 'B-LTA'

/** Writes a new request with all that belongs to it; throws where its id is taken. */
export async function createRequest(tx: Tx, creation: CreateRequest): Promise<void> {
  const { caller, request, now } = creation
  const { tenantId } = caller
  const { id: requestId, departmentId, status } = request
  // A new id is nobody's, so all that follows goes ahead in the same message.
  if (creation.isIdChosen) await writeRequest(tx, creation)
  else tx.withoutWaiting(writeRequest(tx, creation))
  const subject = { tenantId, requestId, requestKind: 'signaturerequest' as const, departmentId }
  // The counters come last, because everybody who creates in this department shares them.
  tx.withoutWaiting(writeDocuments(tx, { tenantId, request, now }))
  await beginHistory(tx, subject, firstEvents(request, actorOf(caller)), now)
  if (status === 'Open') await askToPrepare(tx, { tenantId, requestId, now })
  await changeCounts(tx, tenantId, 'signaturerequest', [{ departmentId, status, by: 1 }])
}

async function writeRequest(tx: Tx, creation: CreateRequest): Promise<void> {
  const { isMade } = await insertRequest.one(tx, rowsOf(creation)).catch((error: unknown) => {
    throw isNothingMade(error) ? departmentGone() : error
  })
  if (isMade) return
  const { caller, request } = creation
  const known = await findFingerprint.maybeOne(tx, { tenantId: caller.tenantId, requestId: request.id })
  throw known === undefined ? departmentGone() : idTaken()
}

const departmentGone = () => referenceNotFound('departmentId', 'department')

function rowsOf({ caller, request, isIdChosen, keyring, now }: CreateRequest) {
  const { tenantId } = caller
  const { documents: _documents, signatories, expirationAt, ...fields } = request
  const isOpen = request.status === 'Open'
  const rows = signatories.map((signatory, position) => {
    const id = newId()
    const hash = isOpen ? linkHash(keyring, { tenantId, signatoryId: id, generation: FIRST_GENERATION }) : undefined
    return { ...signatory, id, position, linkHash: hash?.toString('hex') ?? null }
  })
  return {
    ...fields,
    tenantId,
    mustBeNew: !isIdChosen,
    expirationAt: expirationAt ?? (isOpen ? new Date(now.getTime() + DEFAULT_LIFETIME_MS) : null),
    openedAt: isOpen ? now : null,
    signatories: rows,
    words: wordsOfRequest(request),
    now,
  }
}

type WriteDocuments = {
  tenantId: string
  request: Pick<NewRequest, 'id' | 'departmentId' | 'creatorId' | 'documents'>
  now: Date
}

/** Writes the documents of a request that has none. */
export async function writeDocuments(tx: Tx, { tenantId, request, now }: WriteDocuments): Promise<void> {
  const { id: requestId, departmentId, creatorId } = request
  if (request.documents.length === 0) return
  const documents = request.documents.map((document) => {
    const given = {
      id: newId(),
      contentType: document.contentType,
      fileName: document.fileName,
      content: document.content,
    }
    const latest = document.repaired ? { ...given, id: newId(), content: document.repaired } : given
    return { document, given, latest }
  })
  const stored = [...new Set(documents.flatMap(({ given, latest }) => [given, latest]))]
  const rows = documents.map(({ document, given, latest }, position) => ({
    id: newId(),
    position,
    title: document.title,
    fileName: document.fileName,
    documentTypeId: document.documentTypeId,
    externalReference: document.externalReference,
    sourceDocumentId: given.id,
    documentId: latest.id,
    sha256: latest.content.sha256,
  }))
  await Promise.all([
    keepDocuments(tx, { tenantId, departmentId, creatorId, documents: stored, now }),
    insertSignatureDocuments.run(tx, { tenantId, requestId, levelAsked: LEVEL_ASKED, documents: rows }),
  ])
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
