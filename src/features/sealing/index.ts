import type { Tx } from '#platform/db/database.ts'
import { findDocumentDepartment } from './document-statements.ts'

export { sealingJobs } from './jobs.ts'
export { cancelRequestsOfDepartments, hasRequestsInDepartments } from './cancel-department-requests.ts'

/** The department that a document of a sealing request belongs to; undefined where the id names none. */
export async function findSealingDocumentDepartment(
  tx: Tx,
  { tenantId, documentId }: { tenantId: string; documentId: string },
): Promise<{ departmentId: string } | undefined> {
  return findDocumentDepartment.maybeOne(tx, { tenantId, documentId })
}
export { explainFailure, isLasting } from './seal-failure.ts'
export { publishRenewedSeal } from './publish-renewed.ts'
export { forgetRequest, listFinishedRequests } from './forget-requests.ts'
export { countSealedFiles, listSealedFiles } from './sealed-files.ts'
