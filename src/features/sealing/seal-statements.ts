// What the sealing itself reads and writes, always for several requests at once.
import { json, nullable, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** All documents of requests in their order: what to seal, and what is sealed already. */
export const listDocumentsToSeal = statement({
  name: 'listDocumentsToSeal',
  params: { tenantId: uuid, requestIds: uuids },
  row: {
    id: uuid,
    requestId: uuid,
    sourceDocumentId: uuid,
    sealedDocumentId: nullable(uuid),
    fileName: text,
    creatorId: uuid,
    levelAsked: text,
  },
  sql: `select id, request_id as "requestId", source_document_id as "sourceDocumentId",
               sealed_document_id as "sealedDocumentId", file_name as "fileName", creator_id as "creatorId",
               level_asked as "levelAsked"
          from sealing_document
         where tenant_id = :tenantId and request_id = any(:requestIds)
         order by request_id, position`,
})

export type SealedRow = {
  id: string
  sealedDocumentId: string
  levelReached: string
  /** Whether callers see it from now on. */
  isPublished: boolean
}

/** Only the first seal counts: whoever comes later finds the row filled and changes nothing. */
export const keepSealed = statement({
  name: 'keepSealedDocuments',
  params: { tenantId: uuid, ids: uuids, files: json<SealedRow[]>() },
  // The ids are in the files too. Named by themselves they are looked up; of a list inside JSON nobody knows how short it is,
  // and the whole table would be read.
  sql: `update sealing_document d
           set sealed_document_id = f."sealedDocumentId", level_reached = f."levelReached",
               document_id = case when f."isPublished" then f."sealedDocumentId" else d.document_id end
          from jsonb_to_recordset(:files::jsonb)
            as f (id uuid, "sealedDocumentId" uuid, "levelReached" text, "isPublished" boolean)
         where d.tenant_id = :tenantId and d.id = any(:ids) and d.id = f.id and d.sealed_document_id is null`,
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
  params: { tenantId: uuid, requestIds: uuids },
  row: { id: uuid, sealedDocumentId: uuid },
  sql: `update sealing_document set document_id = sealed_document_id
         where tenant_id = :tenantId and request_id = any(:requestIds) and sealed_document_id is not null
        returning id, sealed_document_id as "sealedDocumentId"`,
})

export const moveRequests = statement({
  name: 'moveSealingRequests',
  params: { tenantId: uuid, requestIds: uuids, status: text, statusReason: nullable(text), now: time },
  sql: `update sealing_request
           set status = :status, status_reason = :statusReason, version = version + 1, modified_at = :now
         where tenant_id = :tenantId and id = any(:requestIds)`,
})
