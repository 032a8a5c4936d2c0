import type { Tx } from '#platform/db/database.ts'
import { deleteMetadataOf } from './metadata-statements.ts'

/** Forgets what was noted about things that are gone. */
export async function forgetMetadata(tx: Tx, of: { tenantId: string; entityIds: string[] }): Promise<void> {
  await deleteMetadataOf.run(tx, of)
}
