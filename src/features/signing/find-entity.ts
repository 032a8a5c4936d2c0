import type { Tx } from '#platform/db/database.ts'
import {
  findRequestDepartment,
  findSignatoryDepartment,
  findSignatureDocumentDepartment,
} from './request-statements.ts'
import type { RequestStatus } from './signature-request.ts'

export type SigningEntity = {
  tenantId: string
  entityType: 'SignatureRequest' | 'Signee' | 'Document'
  entityId: string
}

/** The department of a request, a signatory or a document, and its request's status; undefined where there is none. */
export async function findEntityDepartment(
  tx: Tx,
  { tenantId, entityType, entityId }: SigningEntity,
): Promise<{ departmentId: string; status: RequestStatus } | undefined> {
  if (entityType === 'SignatureRequest') return findRequestDepartment.maybeOne(tx, { tenantId, requestId: entityId })
  if (entityType === 'Signee') return findSignatoryDepartment.maybeOne(tx, { tenantId, signatoryId: entityId })
  return findSignatureDocumentDepartment.maybeOne(tx, { tenantId, documentId: entityId })
}
