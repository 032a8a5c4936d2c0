import type { Static } from 'typebox'
import { findReachableDocument, useDocument, type StoredDocument } from '#features/storage/index.ts'
import { requireCreator } from '#platform/auth/references.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { referenceNotFound } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import { countDocuments, deleteDocument, insertDocument } from './document-statements.ts'
import { notAPdf, sealingDocumentNotFound, tooManyDocuments } from './errors.ts'
import { lockDraft } from './get-request.ts'
import type { DocumentInput } from './schemas.ts'
import { SEAL_LEVEL } from './sealing-request.ts'
import { touchRequest } from './sealing-statements.ts'

export type AddDocument = {
  caller: Caller
  requestId: string
  given: Static<typeof DocumentInput>
  /** How many documents a request may have. */
  limit: number
  now: Date
}

/** Adds a stored document to a Draft, after those that it has. */
export async function addDocument(tx: Tx, { caller, requestId, given, limit, now }: AddDocument) {
  const { tenantId } = caller
  await lockDraft(tx, { caller, requestId })
  const { total } = await countDocuments.one(tx, { tenantId, requestId })
  if (total >= limit) throw tooManyDocuments(limit)
  const { documentURI: uri, creatorId = caller.userId } = given
  await requireCreator(tx, { caller, creatorId })
  const stored = await takeIntoUse(tx, { caller, uri })

  await touchRequest.run(tx, { tenantId, requestId, now })
  return insertDocument.one(tx, {
    tenantId,
    id: newId(),
    requestId,
    documentId: stored.id,
    fileName: given.fileName ?? stored.fileName,
    title: given.title ?? null,
    documentTypeId: given.documentTypeId ?? null,
    creatorId,
    creatorName: given.creatorName ?? null,
    levelAsked: SEAL_LEVEL,
    now,
  })
}

/** The stored document behind a uri, once it is certain that it can be sealed and stays. */
async function takeIntoUse(tx: Tx, { caller, uri }: { caller: Caller; uri: string }): Promise<StoredDocument> {
  const found = await findReachableDocument(tx, { caller, uri })
  if (found === undefined) throw referenceNotFound('documentURI', 'stored document')
  if (!isPdf(found.contentType)) throw notAPdf(found.contentType)
  await useDocument(tx, { tenantId: caller.tenantId, documentId: found.id })
  return found
}

function isPdf(contentType: string): boolean {
  return contentType.split(';')[0]!.trim().toLowerCase() === 'application/pdf'
}

export type RemoveDocument = { caller: Caller; requestId: string; documentId: string; now: Date }

/** Takes a document out of a Draft and answers with what it was. The stored file stays. */
export async function removeDocument(tx: Tx, { caller, requestId, documentId, now }: RemoveDocument) {
  const { tenantId } = caller
  await lockDraft(tx, { caller, requestId })
  const removed = await deleteDocument.maybeOne(tx, { tenantId, requestId, documentId })
  if (removed === undefined) throw sealingDocumentNotFound(documentId)
  await touchRequest.run(tx, { tenantId, requestId, now })
  return removed
}
