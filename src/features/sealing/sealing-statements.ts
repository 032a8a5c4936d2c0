import { boolean, integer, oneOf, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { SEALING_STATUSES } from './sealing-request.ts'

export const status = oneOf(SEALING_STATUSES)

export const findDocumentDepartment = statement({
  name: 'findSealingDocumentDepartment',
  params: { tenantId: uuid, documentId: uuid },
  row: { departmentId: uuid },
  sql: `select r.department_id as "departmentId"
          from sealing_document d
          join sealing_request r on r.tenant_id = d.tenant_id and r.id = d.request_id
         where d.tenant_id = :tenantId and d.id = :documentId`,
})

export const findAnyRequest = statement({
  name: 'findAnySealingRequest',
  params: { tenantId: uuid, departmentIds: uuids },
  row: { isThere: boolean },
  sql: `select exists (select 1 from sealing_request
                        where tenant_id = :tenantId and department_id = any(:departmentIds)) as "isThere"`,
})

/** Only requests that nobody has begun to seal. By id, so that two of these never wait for each other in a circle. */
export const lockCancelableRequests = statement({
  name: 'lockCancelableSealingRequests',
  params: { tenantId: uuid, departmentIds: uuids, limit: integer },
  row: { id: uuid, departmentId: uuid, status },
  sql: `select id, department_id as "departmentId", status
          from sealing_request
         where tenant_id = :tenantId and department_id = any(:departmentIds) and status in ('Draft', 'Open')
         order by id
         limit :limit
           for update`,
})

export const cancelRequests = statement({
  name: 'cancelSealingRequests',
  params: { tenantId: uuid, requestIds: uuids, now: time },
  sql: `update sealing_request
           set status = 'Canceled', version = version + 1, modified_at = :now, finished_at = :now
         where tenant_id = :tenantId and id = any(:requestIds)`,
})
