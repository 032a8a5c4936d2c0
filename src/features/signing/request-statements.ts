// Statements that find, lock and move signature requests.
import { boolean, integer, json, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { STRENGTHS, type DeliveryMethod } from './authentication.ts'
import { REQUEST_STATUSES } from './signature-request.ts'

export const status = oneOf(REQUEST_STATUSES)

export type ArchivingError = { code: string | null; name: string | null; detail: string | null }

const request = { tenantId: uuid, requestId: uuid }

export const findRequestDepartment = statement({
  name: 'findRequestDepartment',
  params: request,
  row: { departmentId: uuid, status },
  sql: `select department_id as "departmentId", status
          from signature_request
         where tenant_id = :tenantId and id = :requestId`,
})

export const findSignatoryDepartment = statement({
  name: 'findSignatoryDepartment',
  params: { tenantId: uuid, signatoryId: uuid },
  row: { departmentId: uuid, status },
  sql: `select r.department_id as "departmentId", r.status
          from signatory s
          join signature_request r on r.tenant_id = s.tenant_id and r.id = s.request_id
         where s.tenant_id = :tenantId and s.id = :signatoryId`,
})

export const findSignatureDocumentDepartment = statement({
  name: 'findSignatureDocumentDepartment',
  params: { tenantId: uuid, documentId: uuid },
  row: { departmentId: uuid, status },
  sql: `select r.department_id as "departmentId", r.status
          from signature_document d
          join signature_request r on r.tenant_id = d.tenant_id and r.id = d.request_id
         where d.tenant_id = :tenantId and d.id = :documentId`,
})

export const findAnyRequest = statement({
  name: 'findAnySignatureRequest',
  params: { tenantId: uuid, departmentIds: uuids },
  row: { isThere: boolean },
  sql: `select exists (select 1 from signature_request
                        where tenant_id = :tenantId and department_id = any(:departmentIds)) as "isThere"`,
})

/** Holds the row until the transaction ends: of two moves at once, the second sees what the first has done. */
export const lockRequest = statement({
  name: 'lockSignatureRequest',
  params: request,
  row: {
    departmentId: uuid,
    creatorId: uuid,
    status,
    readingStrength: oneOf(STRENGTHS),
    signingStrength: oneOf(STRENGTHS),
    deliveryMethods: json<DeliveryMethod[]>(),
    expirationAt: nullable(time),
  },
  sql: `select department_id as "departmentId", creator_id as "creatorId", status,
               reading_authentication_strength as "readingStrength", signing_authentication_strength as "signingStrength",
               to_json(delivery_methods) as "deliveryMethods", expiration_at as "expirationAt"
          from signature_request
         where tenant_id = :tenantId and id = :requestId
           for update`,
})

/** By id, so that two of these never wait for each other in a circle. */
export const lockCancelableRequests = statement({
  name: 'lockCancelableSignatureRequests',
  params: { tenantId: uuid, departmentIds: uuids, limit: integer },
  row: { id: uuid, departmentId: uuid, creatorId: uuid, status },
  sql: `select id, department_id as "departmentId", creator_id as "creatorId", status
          from signature_request
         where tenant_id = :tenantId and department_id = any(:departmentIds) and status in ('Draft', 'Open')
         order by id
         limit :limit
           for update`,
})

/** By id, for the same reason. */
export const lockOpenRequests = statement({
  name: 'lockOpenSignatureRequests',
  params: { tenantId: uuid, limit: integer },
  row: { id: uuid, departmentId: uuid, creatorId: uuid },
  sql: `select id, department_id as "departmentId", creator_id as "creatorId"
          from signature_request
         where tenant_id = :tenantId and status = 'Open'
         order by id
         limit :limit
           for update`,
})

export const cancelRequests = statement({
  name: 'cancelSignatureRequests',
  params: { tenantId: uuid, requestIds: uuids, reason: nullable(text), now: time },
  sql: `update signature_request
           set status = 'Canceled', status_reason = :reason, modified_at = :now, finished_at = :now
         where tenant_id = :tenantId and id = any(:requestIds)`,
})

export const openRequest = statement({
  name: 'openSignatureRequest',
  params: { ...request, expirationAt: time, now: time },
  sql: `update signature_request
           set status = 'Open', expiration_at = :expirationAt, opened_at = :now, modified_at = :now
         where tenant_id = :tenantId and id = :requestId`,
})

export const setArchivingStatus = statement({
  name: 'setArchivingStatus',
  params: { ...request, status, error: nullable(json<ArchivingError>()), now: time },
  sql: `update signature_request
           set status = :status, archiving_error = :error, modified_at = :now
         where tenant_id = :tenantId and id = :requestId`,
})
