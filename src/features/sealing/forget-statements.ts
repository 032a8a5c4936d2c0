import { integer, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { sealingStatus } from './sealing-statements.ts'

const request = { tenantId: uuid, requestId: uuid }

export const listFinished = statement({
  name: 'listFinishedSealingRequests',
  params: { tenantId: uuid, departmentId: uuid, before: time, take: integer },
  row: { id: uuid },
  sql: `select id from sealing_request
         where tenant_id = :tenantId and department_id = :departmentId
           and status in ('Closed', 'Archived', 'Canceled') and finished_at < :before
         order by finished_at limit :take`,
})

export const lockFinished = statement({
  name: 'lockFinishedSealingRequest',
  params: request,
  row: { departmentId: uuid, status: sealingStatus, finishedAt: time },
  sql: `select department_id as "departmentId", status, finished_at as "finishedAt"
          from sealing_request
         where tenant_id = :tenantId and id = :requestId and status in ('Closed', 'Archived', 'Canceled')
           and finished_at is not null
           for update`,
})

/** The documents of a request, each with its files: as given and as sealed. */
export const listFilesOfRequest = statement({
  name: 'listFilesOfSealingRequest',
  params: request,
  row: { id: uuid, files: uuids },
  sql: `select id, array_remove(array[document_id, source_document_id, sealed_document_id], null) as files
          from sealing_document
         where tenant_id = :tenantId and request_id = :requestId`,
})

/** What hangs on it goes with it. */
export const deleteRequest = statement({
  name: 'deleteSealingRequest',
  params: request,
  sql: `delete from sealing_request where tenant_id = :tenantId and id = :requestId`,
})
