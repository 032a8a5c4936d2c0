import type { Tx } from '#platform/db/database.ts'
import { insertDocuments } from './keep-documents-statements.ts'

type Document = {
  /** The uri that it will have. */
  id: string
  /** Of a blob that is committed already: a row must never point at bytes that could still be lost. */
  content: { sha256: string; sizeBytes: number }
  contentType: string
  fileName: string
}

type Owner = { departmentId: string; creatorId: string; now: Date }

export type NewDocuments = Owner & { tenantId: string; documents: readonly Document[] }

/** Records the documents of one request. */
export async function keepDocuments(tx: Tx, { tenantId, documents, ...owner }: NewDocuments): Promise<void> {
  await keepDocumentsOfMany(
    tx,
    tenantId,
    documents.map((document) => ({ ...document, ...owner })),
  )
}

/** Records documents of several requests of one tenant. */
export async function keepDocumentsOfMany(
  tx: Tx,
  tenantId: string,
  documents: readonly (Document & Owner)[],
): Promise<void> {
  const rows = documents.map(({ content: { sha256, sizeBytes }, ...document }) => ({ ...document, sha256, sizeBytes }))
  await insertDocuments.run(tx, { tenantId, documents: rows })
}
