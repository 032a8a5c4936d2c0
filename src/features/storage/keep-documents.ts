import type { Tx } from '#platform/db/database.ts'
import { insertDocuments } from './keep-documents-statements.ts'

export type NewDocuments = {
  tenantId: string
  departmentId: string
  creatorId: string
  /** Each of a blob that is committed already: a row must never point at bytes that could still be lost. */
  documents: readonly {
    /** The uri that it will have. */
    id: string
    content: { sha256: string; sizeBytes: number }
    contentType: string
    fileName: string
  }[]
  now: Date
}

/** Records the documents of one request. */
export async function keepDocuments(
  tx: Tx,
  { tenantId, departmentId, creatorId, documents, now }: NewDocuments,
): Promise<void> {
  const rows = documents.map(({ id, content: { sha256, sizeBytes }, contentType, fileName }) => ({
    id,
    sha256,
    sizeBytes,
    contentType,
    fileName,
  }))
  await insertDocuments.run(tx, { tenantId, departmentId, creatorId, documents: rows, now })
}
