import { integer, nullable, text, texts, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { status } from './request-statements.ts'

const request = { tenantId: uuid, requestId: uuid }

export const listFinished = statement({
  name: 'listFinishedRequests',
  params: { tenantId: uuid, departmentId: uuid, before: time, take: integer },
  row: { id: uuid },
  sql: `select id from signature_request
         where tenant_id = :tenantId and department_id = :departmentId
           and status in ('Closed', 'Archived', 'Canceled') and finished_at < :before
         order by finished_at limit :take`,
})

export const lockFinished = statement({
  name: 'lockFinishedRequest',
  params: request,
  row: {
    departmentId: uuid,
    status,
    subject: text,
    externalReference: nullable(text),
    createdAt: time,
    finishedAt: time,
  },
  sql: `select department_id as "departmentId", status, subject, external_reference as "externalReference",
               created_at as "createdAt", finished_at as "finishedAt"
          from signature_request
         where tenant_id = :tenantId and id = :requestId and status in ('Closed', 'Archived', 'Canceled')
           and finished_at is not null
           for update`,
})

/** Every file that belongs to a request: as given, as prepared, with each signature, sealed, and the evidence. */
export const listFiles = statement({
  name: 'listFilesOfRequest',
  params: request,
  row: { id: uuid },
  sql: `select source_document_id as id from signature_document where tenant_id = :tenantId and request_id = :requestId
        union
        select document_id from signature_document where tenant_id = :tenantId and request_id = :requestId
        union
        select v.stored_document_id
          from signature_revision v
          join signature_document d on d.tenant_id = v.tenant_id and d.id = v.document_id
         where v.tenant_id = :tenantId and d.request_id = :requestId
        union
        select evidence_document_id from signature_request
         where tenant_id = :tenantId and id = :requestId and evidence_document_id is not null
        union
        select evidence_json_document_id from signature_request
         where tenant_id = :tenantId and id = :requestId and evidence_json_document_id is not null`,
})

export const deleteWords = statement({
  name: 'deleteWordsOfRequest',
  params: { ...request, createdAt: time, words: texts },
  sql: `delete from signature_request_word
         where tenant_id = :tenantId and word = any(:words) and created_at = :createdAt and request_id = :requestId`,
})

/** What hangs on it goes with it. */
export const deleteRequest = statement({
  name: 'deleteSignatureRequest',
  params: request,
  sql: `with intents as (
          delete from signature_intent where tenant_id = :tenantId and request_id = :requestId
        )
        delete from signature_request where tenant_id = :tenantId and id = :requestId`,
})
