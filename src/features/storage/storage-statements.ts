import { bytes, count, nullable, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const insertDocument = statement({
  name: 'insertDocument',
  params: {
    tenantId: uuid,
    id: uuid,
    departmentId: uuid,
    sha256: bytes,
    sizeBytes: count,
    contentType: text,
    fileName: text,
    creatorId: uuid,
    now: time,
    purgeAt: nullable(time),
  },
  sql: `insert into stored_document (tenant_id, id, department_id, sha256, size_bytes, content_type, file_name, creator_id, created_at, purge_at)
        values (:tenantId, :id, :departmentId, :sha256, :sizeBytes, :contentType, :fileName, :creatorId, :now, :purgeAt)`,
})

export const findDocument = statement({
  name: 'findDocument',
  params: { tenantId: uuid, documentId: uuid },
  row: { departmentId: uuid, sha256: bytes, sizeBytes: count, contentType: text, fileName: text },
  sql: `select department_id as "departmentId", sha256, size_bytes as "sizeBytes", content_type as "contentType", file_name as "fileName"
          from stored_document
         where tenant_id = :tenantId and id = :documentId`,
})

/** Keeps an upload from being purged. The row lock makes a purge that runs at the same moment wait and see it. */
export const markDocumentUsed = statement({
  name: 'markDocumentUsed',
  params: { tenantId: uuid, documentId: uuid },
  sql: `update stored_document set purge_at = null where tenant_id = :tenantId and id = :documentId`,
})
