// The documents of a request on their way: fields and revisions.
import { bytes, count, integer, nullable, oneOf, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

const request = { tenantId: uuid, requestId: uuid }
const signatory = { tenantId: uuid, signatoryId: uuid }

/** The documents as they are now: their latest revision and its length. */
export const listCurrentDocuments = statement({
  name: 'listCurrentDocuments',
  params: request,
  row: {
    id: uuid,
    position: integer,
    title: nullable(text),
    fileName: text,
    sourceDocumentId: uuid,
    storedDocumentId: uuid,
    sha256: bytes,
    sealField: nullable(text),
    levelAsked: text,
    number: integer,
    sizeBytes: count,
  },
  sql: `select d.id, d.position, d.title, d.file_name as "fileName", d.source_document_id as "sourceDocumentId",
               d.document_id as "storedDocumentId", d.sha256, d.seal_field as "sealField", d.level_asked as "levelAsked",
               coalesce(v.number, 0) as number, coalesce(v.size_bytes, 0) as "sizeBytes"
          from signature_document d
          left join lateral (select number, size_bytes from signature_revision v
                              where v.tenant_id = :tenantId and v.document_id = d.id
                              order by number desc limit 1) v on true
         where d.tenant_id = :tenantId and d.request_id = :requestId
         order by d.position`,
})

/** Every revision that somebody may have been shown. */
export const listRevisions = statement({
  name: 'listRevisions',
  params: request,
  row: { documentId: uuid, number: integer, sha256: bytes, sizeBytes: count, storedDocumentId: uuid },
  sql: `select v.document_id as "documentId", v.number, v.sha256, v.size_bytes as "sizeBytes",
               v.stored_document_id as "storedDocumentId"
          from signature_revision v
          join signature_document d on d.tenant_id = v.tenant_id and d.id = v.document_id
         where v.tenant_id = :tenantId and d.request_id = :requestId
         order by v.document_id, v.number`,
})

export const insertRevision = statement({
  name: 'insertRevision',
  params: {
    tenantId: uuid,
    documentId: uuid,
    number: integer,
    kind: oneOf(['prepared', 'signature', 'seal', 'renewal']),
    storedDocumentId: uuid,
    sha256: bytes,
    sizeBytes: count,
    now: time,
  },
  sql: `insert into signature_revision (tenant_id, document_id, number, kind, stored_document_id, sha256, size_bytes, created_at)
        values (:tenantId, :documentId, :number, :kind, :storedDocumentId, :sha256, :sizeBytes, :now)`,
})

export const setRevision = statement({
  name: 'setRevision',
  params: { tenantId: uuid, documentId: uuid, storedDocumentId: uuid, sha256: bytes, levelReached: nullable(text) },
  sql: `update signature_document
           set document_id = :storedDocumentId, sha256 = :sha256, level_reached = coalesce(:levelReached, level_reached)
         where tenant_id = :tenantId and id = :documentId`,
})

export const insertField = statement({
  name: 'insertField',
  params: { tenantId: uuid, documentId: uuid, signatoryId: uuid, name: text },
  sql: `insert into signature_field (tenant_id, document_id, signatory_id, name)
        values (:tenantId, :documentId, :signatoryId, :name)`,
})

export const setSealField = statement({
  name: 'setSealField',
  params: { tenantId: uuid, documentId: uuid, name: text },
  sql: `update signature_document set seal_field = :name where tenant_id = :tenantId and id = :documentId`,
})

export const listFields = statement({
  name: 'listFieldsOfSignatory',
  params: signatory,
  row: { documentId: uuid, name: text },
  sql: `select document_id as "documentId", name from signature_field
         where tenant_id = :tenantId and signatory_id = :signatoryId`,
})

export const listAllFields = statement({
  name: 'listFieldsOfRequest',
  params: request,
  row: { documentId: uuid, signatoryId: uuid, name: text },
  sql: `select f.document_id as "documentId", f.signatory_id as "signatoryId", f.name
          from signature_field f
          join signature_document d on d.tenant_id = f.tenant_id and d.id = f.document_id
         where f.tenant_id = :tenantId and d.request_id = :requestId`,
})
