// What carries signatures of signature requests, in portions, for whoever checks all of it.
import type { Level } from '#pades/validate/report.ts'
import type { Tx } from '#platform/db/database.ts'
import { countSigned, listEvidence, listSignedDocuments } from './signed-files-statements.ts'

/** Ids between the two; both are left out. */
export type Span = { tenantId: string; after: string; before: string }
export type Portion = Span & { take: number }

export type SignedFile = {
  id: string
  requestId: string
  storedDocumentId: string
  level: Level
  /** The fields that hold our signatures; 'newest' where only the last one is known to be. */
  fields: readonly string[] | 'newest'
  /** What the request says that its content is, besides the store itself. */
  sha256?: Buffer
  /** Oldest first; the last one is the file as it is now. Each begins with the one before. */
  revisions: readonly { storedDocumentId: string; sha256: Buffer; sizeBytes: number }[]
}

/** The next documents that somebody has signed. */
export async function listSignedFiles(tx: Tx, portion: Portion): Promise<SignedFile[]> {
  const rows = await listSignedDocuments.many(tx, portion)
  return rows.map(({ revisionIds, revisionHashes, revisionSizes, ...row }) => ({
    ...row,
    revisions: revisionIds.map((storedDocumentId, at) => ({
      storedDocumentId,
      sha256: revisionHashes[at]!,
      sizeBytes: revisionSizes[at]!,
    })),
  }))
}

/** The next evidence files, each by the id of its request. */
export async function listEvidenceFiles(tx: Tx, portion: Portion): Promise<SignedFile[]> {
  const rows = await listEvidence.many(tx, portion)
  return rows.map((row) => ({ ...row, requestId: row.id, level: 'B-LTA', fields: 'newest', revisions: [] }))
}

/** How many files the two would list. */
export async function countSignedFiles(tx: Tx, span: Span): Promise<number> {
  const { documents, evidence } = await countSigned.one(tx, span)
  return documents + evidence
}
