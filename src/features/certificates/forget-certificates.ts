import type { Tx } from '#platform/db/database.ts'
import { deleteSignatoryCertificates } from './certificate-statements.ts'

/** Forgets the certificates that were made for the signatories of a request. What was answered about them has no names. */
export async function forgetSignatoryCertificates(
  tx: Tx,
  request: { tenantId: string; requestId: string },
): Promise<void> {
  await deleteSignatoryCertificates.run(tx, request)
}
