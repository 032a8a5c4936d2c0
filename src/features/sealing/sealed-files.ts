// What has been sealed, in portions, for whoever checks all of it.
import type { Tx } from '#platform/db/database.ts'
import { countSealed, listSealed } from './sealed-files-statements.ts'

type Span = { tenantId: string; after: string; before: string }

/** The next sealed documents, by their id. The seal is the newest signature in each. */
export async function listSealedFiles(tx: Tx, portion: Span & { take: number }) {
  const rows = await listSealed.many(tx, portion)
  return rows.map((row) => ({ ...row, fields: 'newest' as const, revisions: [] }))
}

/** How many it would list. */
export async function countSealedFiles(tx: Tx, span: Span): Promise<number> {
  return (await countSealed.one(tx, span)).files
}
