import { boolean, count, integer, nullable, oneOf, text, texts, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { SEALING_STATUSES } from './sealing-request.ts'

export const sealingStatus = oneOf(SEALING_STATUSES)

const request = {
  id: uuid,
  tenantId: uuid,
  departmentId: uuid,
  creatorId: uuid,
  creatorName: nullable(text),
  sealingRequestTemplateId: nullable(uuid),
  subject: nullable(text),
  languageCode: nullable(text),
  status: sealingStatus,
  statusReason: nullable(text),
  externalReference: nullable(text),
  version: integer,
  creationDate: time,
  modifiedDate: time,
}
const REQUEST = `r.id, r.tenant_id as "tenantId", r.department_id as "departmentId", r.creator_id as "creatorId",
               r.creator_name as "creatorName", r.template_id as "sealingRequestTemplateId", r.subject,
               r.language_code as "languageCode", r.status, r.status_reason as "statusReason",
               r.external_reference as "externalReference", r.version, r.created_at as "creationDate",
               r.modified_at as "modifiedDate"`

const fields = {
  departmentId: uuid,
  creatorId: uuid,
  creatorName: nullable(text),
  sealingRequestTemplateId: nullable(uuid),
  subject: nullable(text),
  languageCode: nullable(text),
  externalReference: nullable(text),
}

/** A request as its row has it. */
export type RequestRow = Awaited<ReturnType<typeof lockRequest.one>>

export const findRequest = statement({
  name: 'findSealingRequest',
  params: { tenantId: uuid, requestId: uuid },
  row: request,
  sql: `select ${REQUEST}
          from sealing_request r
         where r.tenant_id = :tenantId and r.id = :requestId`,
})

export const lockRequest = statement({
  name: 'lockSealingRequest',
  params: { tenantId: uuid, requestId: uuid },
  row: request,
  sql: `select ${REQUEST}
          from sealing_request r
         where r.tenant_id = :tenantId and r.id = :requestId
           for update`,
})

/** Many of them, all in one order, so that two who lock several never wait in a circle. */
export const lockRequests = statement({
  name: 'lockSealingRequests',
  params: { tenantId: uuid, requestIds: uuids },
  row: request,
  sql: `select ${REQUEST}
          from sealing_request r
         where r.tenant_id = :tenantId and r.id = any(:requestIds)
         order by r.id
           for update`,
})

/** Answers with nothing where the id is taken, after waiting for whoever was taking it. */
export const insertDraft = statement({
  name: 'insertSealingDraft',
  params: { tenantId: uuid, requestId: uuid, ...fields, now: time },
  row: request,
  sql: `insert into sealing_request as r (tenant_id, id, department_id, creator_id, creator_name, template_id, subject,
               language_code, status, external_reference, created_at, modified_at)
        values (:tenantId, :requestId, :departmentId, :creatorId, :creatorName, :sealingRequestTemplateId, :subject,
               :languageCode, 'Draft', :externalReference, :now, :now)
        on conflict (tenant_id, id) do nothing
        returning ${REQUEST}`,
})

export const updateRequest = statement({
  name: 'updateSealingRequest',
  params: {
    tenantId: uuid,
    requestId: uuid,
    ...fields,
    status: sealingStatus,
    statusReason: nullable(text),
    isFinal: boolean,
    now: time,
  },
  row: request,
  sql: `update sealing_request r
           set department_id = :departmentId, creator_id = :creatorId, creator_name = :creatorName,
               template_id = :sealingRequestTemplateId, subject = :subject, language_code = :languageCode,
               external_reference = :externalReference, status = :status, status_reason = :statusReason,
               version = r.version + 1, modified_at = :now,
               finished_at = case when :isFinal then coalesce(r.finished_at, :now) else r.finished_at end
         where r.tenant_id = :tenantId and r.id = :requestId
        returning ${REQUEST}`,
})

/** Says that the request's documents changed, which changes its version too. */
export const touchRequest = statement({
  name: 'touchSealingRequest',
  params: { tenantId: uuid, requestId: uuid, now: time },
  sql: `update sealing_request set version = version + 1, modified_at = :now
         where tenant_id = :tenantId and id = :requestId`,
})

// Listings. One statement for each index, because one with optional conditions could use none of them.

const page = { tenantId: uuid, skip: integer, take: integer }

export const listNewest = statement({
  name: 'listNewestSealingRequests',
  params: page,
  row: request,
  sql: `select ${REQUEST}
          from sealing_request r
         where r.tenant_id = :tenantId
         order by r.created_at desc, r.id desc
        offset :skip limit :take`,
})

export const listByStatus = statement({
  name: 'listSealingRequestsByStatus',
  params: { ...page, status: sealingStatus },
  row: request,
  sql: `select ${REQUEST}
          from sealing_request r
         where r.tenant_id = :tenantId and r.status = :status
         order by r.created_at desc, r.id desc
        offset :skip limit :take`,
})

/**
 * Reads the newest of each department and status from their index, so what lies below is never touched. Each row of the
 * page is then fetched by its key; a plain join might be planned as a walk over the whole table.
 */
export const listByDepartments = statement({
  name: 'listSealingRequestsByDepartments',
  params: { ...page, departmentIds: uuids, statuses: texts },
  row: request,
  sql: `select ${REQUEST}
          from (select newest.id, newest.created_at
                  from unnest(:departmentIds::uuid[]) as d (id)
                 cross join unnest(:statuses::text[]) as s (status)
                 cross join lateral (
                       select q.id, q.created_at
                         from sealing_request q
                        where q.tenant_id = :tenantId and q.department_id = d.id and q.status = s.status
                        order by q.created_at desc, q.id desc
                        limit :skip::int + :take::int) newest
                 order by newest.created_at desc, newest.id desc
                offset :skip limit :take) as page
         cross join lateral (
               select w.id, w.tenant_id, w.department_id, w.creator_id, w.creator_name, w.template_id, w.subject,
                      w.language_code, w.status, w.status_reason, w.external_reference, w.version, w.created_at,
                      w.modified_at
                 from sealing_request w
                where w.tenant_id = :tenantId and w.id = page.id
                limit 1) as r
         order by page.created_at desc, page.id desc`,
})

const reference = {
  tenantId: uuid,
  externalReference: text,
  departmentIds: nullable(uuids),
  status: nullable(sealingStatus),
}
const WITH_REFERENCE = `r.tenant_id = :tenantId and r.external_reference = :externalReference
           and (:departmentIds::uuid[] is null or r.department_id = any(:departmentIds::uuid[]))
           and (:status::text is null or r.status = :status)`

export const listByReference = statement({
  name: 'listSealingRequestsByReference',
  params: { ...reference, skip: integer, take: integer },
  row: request,
  sql: `select ${REQUEST}
          from sealing_request r
         where ${WITH_REFERENCE}
         order by r.created_at desc, r.id desc
        offset :skip limit :take`,
})

export const countByReference = statement({
  name: 'countSealingRequestsByReference',
  params: { ...reference, limit: integer },
  row: { total: count },
  sql: `select count(found.id) as total
          from (select r.id from sealing_request r where ${WITH_REFERENCE} limit :limit) as found`,
})

// What happens to a department happens to its requests.

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
  row: { id: uuid, departmentId: uuid, status: sealingStatus },
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
