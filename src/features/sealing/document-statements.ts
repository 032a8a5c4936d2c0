import { boolean, integer, nullable, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

const document = {
  id: uuid,
  documentURI: uuid,
  sourceDocumentURI: uuid,
  fileName: text,
  title: nullable(text),
  documentTypeId: nullable(uuid),
  creatorId: uuid,
  creatorName: nullable(text),
}
const DOCUMENT = `id, document_id as "documentURI", source_document_id as "sourceDocumentURI", file_name as "fileName",
               title, document_type_id as "documentTypeId", creator_id as "creatorId", creator_name as "creatorName"`

/** Put after the last one. The request's row is locked, so no two get the same position. */
export const insertDocument = statement({
  name: 'insertSealingDocument',
  params: {
    tenantId: uuid,
    id: uuid,
    requestId: uuid,
    documentId: uuid,
    fileName: text,
    title: nullable(text),
    documentTypeId: nullable(uuid),
    creatorId: uuid,
    creatorName: nullable(text),
    levelAsked: text,
    now: time,
  },
  row: document,
  sql: `insert into sealing_document (tenant_id, id, request_id, position, document_id, source_document_id, file_name,
               title, document_type_id, creator_id, creator_name, level_asked, created_at)
        select :tenantId, :id, :requestId, coalesce(max(d.position), 0) + 1, :documentId, :documentId, :fileName,
               :title, :documentTypeId, :creatorId, :creatorName, :levelAsked, :now
          from sealing_document d
         where d.tenant_id = :tenantId and d.request_id = :requestId
        returning ${DOCUMENT}`,
})

export const deleteDocument = statement({
  name: 'deleteSealingDocument',
  params: { tenantId: uuid, requestId: uuid, documentId: uuid },
  row: document,
  sql: `delete from sealing_document
         where tenant_id = :tenantId and request_id = :requestId and id = :documentId
        returning ${DOCUMENT}`,
})

/** All of a request's documents; adding keeps their number within the configured limit. */
export const listDocuments = statement({
  name: 'listSealingDocuments',
  params: { tenantId: uuid, requestId: uuid },
  row: document,
  sql: `select ${DOCUMENT}
          from sealing_document
         where tenant_id = :tenantId and request_id = :requestId
         order by position`,
})

export const countDocuments = statement({
  name: 'countSealingDocuments',
  params: { tenantId: uuid, requestId: uuid },
  row: { total: integer },
  sql: `select count(id)::int as total from sealing_document where tenant_id = :tenantId and request_id = :requestId`,
})

export const findAnyDocument = statement({
  name: 'findAnySealingDocument',
  params: { tenantId: uuid, requestId: uuid },
  row: { isThere: boolean },
  sql: `select exists (select 1 from sealing_document
                        where tenant_id = :tenantId and request_id = :requestId) as "isThere"`,
})

export const findDocumentDepartment = statement({
  name: 'findSealingDocumentDepartment',
  params: { tenantId: uuid, documentId: uuid },
  row: { departmentId: uuid },
  sql: `select r.department_id as "departmentId"
          from sealing_document d
          join sealing_request r on r.tenant_id = d.tenant_id and r.id = d.request_id
         where d.tenant_id = :tenantId and d.id = :documentId`,
})
