import { bytes, byteses, count, integer, nullable, text, time, uuid, uuids } from '#platform/db/columns.ts'
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

export const listContents = statement({
  name: 'listContents',
  params: { tenantId: uuid, documentIds: uuids },
  row: { id: uuid, sha256: bytes, sizeBytes: count },
  sql: `select id, sha256, size_bytes as "sizeBytes"
          from stored_document where tenant_id = :tenantId and id = any(:documentIds)`,
})

/** The same for somebody who is about to use it: a purge either came before, or waits and sees that it is used. */
export const holdDocument = statement({
  name: 'holdDocument',
  params: { tenantId: uuid, documentId: uuid },
  row: { departmentId: uuid, sha256: bytes, sizeBytes: count, contentType: text, fileName: text },
  sql: `select department_id as "departmentId", sha256, size_bytes as "sizeBytes", content_type as "contentType", file_name as "fileName"
          from stored_document
         where tenant_id = :tenantId and id = :documentId
           for key share`,
})

/** Keeps an upload from being purged. The row lock makes a purge that runs at the same moment wait and see it. */
export const markDocumentUsed = statement({
  name: 'markDocumentUsed',
  params: { tenantId: uuid, documentId: uuid },
  sql: `update stored_document set purge_at = null where tenant_id = :tenantId and id = :documentId`,
})

/** What is not used any more goes with the next purge. */
export const markDocumentsUnused = statement({
  name: 'markDocumentsUnused',
  params: { tenantId: uuid, documentIds: uuids, now: time },
  row: { sha256: bytes },
  sql: `update stored_document set purge_at = :now where tenant_id = :tenantId and id = any(:documentIds)
        returning sha256`,
})

export const listPurged = statement({
  name: 'listPurgedDocuments',
  params: { tenantId: uuid, now: time, most: integer },
  row: { id: uuid },
  sql: `select id from stored_document where tenant_id = :tenantId and purge_at <= :now order by purge_at limit :most`,
})

/** Rows that somebody is just taking into use are left for the next time. */
export const deletePurgedDocuments = statement({
  name: 'deletePurgedDocuments',
  params: { tenantId: uuid, now: time, most: integer },
  row: { sha256: bytes },
  sql: `delete from stored_document
         where tenant_id = :tenantId
           and id in (select id from stored_document
                       where tenant_id = :tenantId and purge_at <= :now
                       order by purge_at
                       limit :most
                         for update skip locked)
        returning sha256`,
})

/** One of them alone. */
export const deletePurgedDocument = statement({
  name: 'deletePurgedDocument',
  params: { tenantId: uuid, documentId: uuid },
  row: { sha256: bytes },
  sql: `delete from stored_document where tenant_id = :tenantId and id = :documentId and purge_at is not null
        returning sha256`,
})

export const isContentKept = statement({
  name: 'isContentKept',
  params: { tenantId: uuid, sha256: bytes },
  row: { id: uuid },
  sql: `select id from stored_document where tenant_id = :tenantId and sha256 = :sha256 limit 1`,
})

/** Which of these contents some document has. */
export const listKeptContent = statement({
  name: 'listKeptContent',
  params: { tenantId: uuid, hashes: byteses },
  row: { sha256: bytes },
  sql: `select distinct sha256 from stored_document where tenant_id = :tenantId and sha256 = any(:hashes::bytea[])`,
})

const CONTENT_LOCK = `hashtextextended(content.tenant_id || encode(content.sha256, 'hex'), 0)`

/** Until the transaction ends, nobody else removes this content and whoever asks by `awaitContentRemoval` waits. */
export const holdContentRemoval = statement({
  name: 'holdContentRemoval',
  params: { tenantId: uuid, sha256: bytes },
  row: { lock: text },
  sql: `select pg_advisory_xact_lock(${CONTENT_LOCK})::text as lock
          from (select :tenantId::text as tenant_id, :sha256::bytea as sha256) content`,
})

export const awaitContentRemoval = statement({
  name: 'awaitContentRemoval',
  params: { tenantId: uuid, sha256: bytes },
  row: { lock: text },
  sql: `select pg_advisory_xact_lock_shared(${CONTENT_LOCK})::text as lock
          from (select :tenantId::text as tenant_id, :sha256::bytea as sha256) content`,
})
