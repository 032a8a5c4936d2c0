// Statements that write new requests: as few round trips as their tables allow, for one as for many.
import { boolean, bytes, count, json, text, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import type { NewRequest, NewSignatory } from './new-request.ts'

export type RequestRow = Omit<NewRequest, 'signatories' | 'documents' | 'fingerprint'> & {
  /** Hexadecimal: JSON knows no bytes. */
  fingerprint: string
  now: Date
  openedAt: Date | null
  /** By which it is found. */
  words: readonly string[]
}

export type SignatoryRow = NewSignatory & {
  id: string
  requestId: string
  position: number
  /** Hexadecimal; null while the request is a Draft. */
  linkHash: string | null
}

/**
 * Requests, their signatories, their links and the words they are found by. Where an id is taken or a department is
 * gone nothing is written of that request; where all must be new the statement then fails, so that nothing behind it in
 * the same message is written either. A twin that is still running is waited for, and so is a deletion of a department:
 * what is made in a department is there before it is deleted, or not at all.
 */
export const insertRequests = statement({
  name: 'insertSignatureRequests',
  params: {
    tenantId: uuid,
    requests: json<RequestRow[]>(),
    signatories: json<SignatoryRow[]>(),
    mustBeNew: boolean,
  },
  row: { made: count },
  // Rows of JSON, not of arrays: the planner knows an array's length and would plan anew each time. As text it is read
  // once; as jsonb it would be built first.
  sql: `with given as (
          select * from json_to_recordset(:requests::json)
            as r (id uuid, "departmentId" uuid, "creatorId" uuid, "templateId" uuid, subject text, status text,
                  "languageCode" text, "readingStrength" text, "signingStrength" text, "externalReference" text,
                  "expirationAt" timestamptz, "deliveryMethods" text[], placements jsonb, fingerprint text,
                  now timestamptz, "openedAt" timestamptz, words text[])
        ), living as (
          -- All in one order, so that two who hold several never wait in a circle.
          select id from department
           where tenant_id = :tenantId and id = any(array(select "departmentId" from given)) and deleted_at is null
           order by id
             for key share
        ), made as (
          insert into signature_request (tenant_id, id, department_id, creator_id, template_id, subject, status,
                                         language_code, reading_authentication_strength, signing_authentication_strength,
                                         external_reference, expiration_at, delivery_methods, placements, fingerprint,
                                         created_at, modified_at, opened_at)
          select :tenantId::uuid, g.id, living.id, g."creatorId", g."templateId", g.subject, g.status,
                 g."languageCode", g."readingStrength", g."signingStrength", g."externalReference", g."expirationAt",
                 g."deliveryMethods", g.placements, decode(g.fingerprint, 'hex'), g.now, g.now, g."openedAt"
            from given g
            join living on living.id = g."departmentId"
          on conflict (tenant_id, id) do nothing
          returning id, expiration_at
        ), people as (
          select s.id, s."requestId", s.position, s."firstName", s."lastName", s.email, s."mobilePhone", s."isMandatory",
                 s."authenticationAreaCode", s."personalIdentifier", s."signingOrder", s."externalReference", s."linkHash",
                 made.expiration_at
            from json_to_recordset(:signatories::json)
              as s (id uuid, "requestId" uuid, position int, "firstName" text, "lastName" text, email text,
                    "mobilePhone" text, "isMandatory" boolean, "authenticationAreaCode" text, "personalIdentifier" text,
                    "signingOrder" int, "externalReference" text, "linkHash" text)
            join made on made.id = s."requestId"
        ), signatories as (
          insert into signatory (tenant_id, id, request_id, position, first_name, last_name, email, mobile_phone,
                                 is_mandatory, authentication_area_code, personal_identifier, signing_order,
                                 external_reference, state)
          select :tenantId, p.id, p."requestId", p.position, p."firstName", p."lastName", p.email, p."mobilePhone",
                 p."isMandatory", p."authenticationAreaCode", p."personalIdentifier", p."signingOrder",
                 p."externalReference", 'Waiting'
            from people p
        ), links as (
          insert into credential (kind, hash, tenant_id, ref_id, expires_at)
          select 'link', decode(p."linkHash", 'hex'), :tenantId, p.id, p.expiration_at
            from people p
           where p."linkHash" is not null
        ), words as (
          insert into signature_request_word (tenant_id, word, created_at, request_id)
          select :tenantId, w.word, g.now, made.id
            from given g
            join made on made.id = g.id
           cross join unnest(g.words) as w (word)
        ), total as (
          select (select count(*) from made) as made, (select count(*) from given) as given
        )
        select made / (not :mustBeNew::boolean or made = given)::int as made from total`,
})

const DIVISION_BY_ZERO = '22012'

/** Whether `insertRequests` failed because not all were new. */
export const isNotAllMade = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === DIVISION_BY_ZERO

export type SignatureDocumentRow = {
  id: string
  requestId: string
  position: number
  title: string | null
  fileName: string
  documentTypeId: string | null
  externalReference: string | null
  sourceDocumentId: string
  documentId: string
  /** Of the latest revision, in hexadecimal. */
  sha256: string
}

export const insertSignatureDocuments = statement({
  name: 'insertSignatureDocuments',
  params: { tenantId: uuid, levelAsked: text, documents: json<SignatureDocumentRow[]>() },
  sql: `insert into signature_document (tenant_id, id, request_id, position, title, file_name, document_type_id,
                                        external_reference, source_document_id, document_id, sha256, level_asked)
        select :tenantId, d.id, d."requestId", d.position, d.title, d."fileName", d."documentTypeId",
               d."externalReference", d."sourceDocumentId", d."documentId", decode(d.sha256, 'hex'), :levelAsked
          from json_to_recordset(:documents::json)
            as d (id uuid, "requestId" uuid, position int, title text, "fileName" text, "documentTypeId" uuid,
                  "externalReference" text, "sourceDocumentId" uuid, "documentId" uuid, sha256 text)`,
})

export const findFingerprint = statement({
  name: 'findRequestFingerprint',
  params: { tenantId: uuid, requestId: uuid },
  row: { fingerprint: bytes },
  sql: `select fingerprint from signature_request where tenant_id = :tenantId and id = :requestId`,
})
