import { nullable, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** All documents of a request in their order: what to seal, and what is sealed already. */
export const listDocumentsToSeal = statement({
  name: 'listDocumentsToSeal',
  params: { tenantId: uuid, requestId: uuid },
  row: {
    id: uuid,
    sourceDocumentId: uuid,
    sealedDocumentId: nullable(uuid),
    fileName: text,
    creatorId: uuid,
    levelAsked: text,
  },
  sql: `select id, source_document_id as "sourceDocumentId", sealed_document_id as "sealedDocumentId",
               file_name as "fileName", creator_id as "creatorId", level_asked as "levelAsked"
          from sealing_document
         where tenant_id = :tenantId and request_id = :requestId
         order by position`,
})

/** Only the first seal counts: whoever comes later finds the row filled and changes nothing. */
export const keepSealed = statement({
  name: 'keepSealedDocument',
  params: { tenantId: uuid, id: uuid, sealedDocumentId: uuid, levelReached: text },
  sql: `update sealing_document set sealed_document_id = :sealedDocumentId, level_reached = :levelReached
         where tenant_id = :tenantId and id = :id and sealed_document_id is null`,
})

/** After the first seal: the same file with one more timestamp. */
export const replaceSealed = statement({
  name: 'replaceSealedDocument',
  params: { tenantId: uuid, id: uuid, sealedDocumentId: uuid },
  sql: `update sealing_document set sealed_document_id = :sealedDocumentId, document_id = :sealedDocumentId
         where tenant_id = :tenantId and id = :id`,
})

export const publishSealed = statement({
  name: 'publishSealedDocuments',
  params: { tenantId: uuid, requestId: uuid },
  sql: `update sealing_document set document_id = sealed_document_id
         where tenant_id = :tenantId and request_id = :requestId and sealed_document_id is not null`,
})

export const moveRequest = statement({
  name: 'moveSealingRequest',
  params: { tenantId: uuid, requestId: uuid, status: text, statusReason: nullable(text), now: time },
  sql: `update sealing_request
           set status = :status, status_reason = :statusReason, version = version + 1, modified_at = :now
         where tenant_id = :tenantId and id = :requestId`,
})
