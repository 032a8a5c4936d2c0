// Every file that carries signatures, by the id of what it belongs to, for whoever looks at all of them.
import { LEVELS } from '#pades/validate/report.ts'
import { bytes, byteses, count, integer, json, oneOf, texts, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

const page = { tenantId: uuid, after: uuid, before: uuid, take: integer }

/** Documents that somebody has signed: as they are now, and every revision that led there, in one moment. */
export const listSignedDocuments = statement({
  name: 'listSignedDocuments',
  params: page,
  row: {
    id: uuid,
    requestId: uuid,
    storedDocumentId: uuid,
    sha256: bytes,
    level: oneOf(LEVELS),
    fields: texts,
    revisionIds: uuids,
    revisionHashes: byteses,
    revisionSizes: json<number[]>(),
  },
  sql: `select d.id, d.request_id as "requestId", d.document_id as "storedDocumentId", d.sha256, d.level_reached as level,
               array(select f.name
                       from signature_field f
                       join signatory s on s.tenant_id = :tenantId and s.id = f.signatory_id
                      where f.tenant_id = :tenantId and f.document_id = d.id and s.state = 'Signed')
                 || array(select d.seal_field where 'seal' = any(v.kinds)) as fields,
               v.ids as "revisionIds", v.hashes as "revisionHashes", v.sizes as "revisionSizes"
          from signature_document d
         cross join lateral (select array_agg(r.stored_document_id order by r.number) as ids,
                                    array_agg(r.sha256 order by r.number) as hashes,
                                    jsonb_agg(r.size_bytes order by r.number) as sizes,
                                    array_agg(r.kind) as kinds
                               from signature_revision r
                              where r.tenant_id = :tenantId and r.document_id = d.id) v
         where d.tenant_id = :tenantId and d.id > :after and d.id < :before and d.level_reached is not null
         order by d.id
         limit :take`,
})

export const listEvidence = statement({
  name: 'listEvidenceFiles',
  params: page,
  row: { id: uuid, storedDocumentId: uuid },
  sql: `select id, evidence_document_id as "storedDocumentId"
          from signature_request
         where tenant_id = :tenantId and id > :after and id < :before and evidence_document_id is not null
         order by id
         limit :take`,
})

export const countSigned = statement({
  name: 'countSignedFiles',
  params: { tenantId: uuid, after: uuid, before: uuid },
  row: { documents: count, evidence: count },
  sql: `select (select count(*) from signature_document
                 where tenant_id = :tenantId and id > :after and id < :before and level_reached is not null) as documents,
               (select count(*) from signature_request
                 where tenant_id = :tenantId and id > :after and id < :before and evidence_document_id is not null)
                 as evidence`,
})
