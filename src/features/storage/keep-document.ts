import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { isUuid, newId } from '#platform/ids.ts'
import { findDocument, holdDocument, insertDocument, markDocumentUsed } from './storage-statements.ts'

export type NewDocument = {
  tenantId: string
  departmentId: string
  /** Of a blob that is committed already: the row must never point at bytes that could still be lost. */
  content: { sha256: string; sizeBytes: number }
  contentType: string
  fileName: string
  creatorId: string
  now: Date
  /** When it goes if nothing has used it by then. */
  purgeAt?: Date
}

/** Records a document whose bytes lie in the blob store, and answers with its uri. */
export async function keepDocument(tx: Tx, document: NewDocument): Promise<string> {
  const { content, purgeAt, ...rest } = document
  const id = newId()
  await insertDocument.run(tx, {
    ...rest,
    id,
    sha256: Buffer.from(content.sha256, 'hex'),
    sizeBytes: content.sizeBytes,
    purgeAt: purgeAt ?? null,
  })
  return id
}

export type StoredDocument = {
  id: string
  departmentId: string
  sha256: string
  sizeBytes: number
  contentType: string
  fileName: string
}

/** The document that a uri names within the caller's reach, held for use; undefined where there is none. */
export async function findReachableDocument(
  tx: Tx,
  { caller, uri }: { caller: Caller; uri: string },
): Promise<StoredDocument | undefined> {
  if (!isUuid(uri)) return undefined
  const id = uri.toLowerCase()
  const found = await holdDocument.maybeOne(tx, { tenantId: caller.tenantId, documentId: id })
  if (found === undefined) return undefined
  await requireReach(tx, caller, found.departmentId)
  return { ...found, id, sha256: found.sha256.toString('hex') }
}

/** Whether a stored document has exactly this content. */
export async function holdsContent(
  tx: Tx,
  { tenantId, documentId, sha256 }: { tenantId: string; documentId: string; sha256: string },
): Promise<boolean> {
  const found = await findDocument.maybeOne(tx, { tenantId, documentId })
  return found?.sha256.toString('hex') === sha256
}

/** Says that something uses the document from now on, so that it is not purged as a forgotten upload. */
export async function useDocument(
  tx: Tx,
  { tenantId, documentId }: { tenantId: string; documentId: string },
): Promise<void> {
  await markDocumentUsed.run(tx, { tenantId, documentId })
}
