// Statements that write a new request: as few round trips as its tables allow.
import { boolean, bytes, json, nullable, oneOf, text, texts, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { STRENGTHS } from './authentication.ts'

/** Where a signatory's mark shows: in points from the top left of a page; pages count from 1, the rest from 0. */
export type Placement = {
  documentIndex: number
  signatoryIndex: number
  page: number
  x: number
  y: number
  width: number
  height: number
}

export type SignatoryRow = {
  id: string
  position: number
  firstName: string | null
  lastName: string | null
  email: string | null
  mobilePhone: string | null
  isMandatory: boolean
  authenticationAreaCode: string | null
  personalIdentifier: string | null
  signingOrder: number
  externalReference: string | null
  /** Hexadecimal; null while the request is a Draft. */
  linkHash: string | null
}

/**
 * The request, its signatories, their links and the words it is found by. Where the id is taken or the department is
 * gone nothing is written; where it must be new the statement then fails, so that nothing behind it in the same message
 * is written either. A twin that is still running is waited for, and so is a deletion of the department: what is
 * made in a department is there before it is deleted, or not at all.
 */
export const insertRequest = statement({
  name: 'insertSignatureRequest',
  params: {
    tenantId: uuid,
    id: uuid,
    departmentId: uuid,
    creatorId: uuid,
    templateId: nullable(uuid),
    subject: text,
    status: oneOf(['Draft', 'Open']),
    languageCode: nullable(text),
    readingStrength: oneOf(STRENGTHS),
    signingStrength: oneOf(STRENGTHS),
    externalReference: nullable(text),
    expirationAt: nullable(time),
    deliveryMethods: texts,
    placements: nullable(json<Placement[]>()),
    fingerprint: bytes,
    openedAt: nullable(time),
    now: time,
    signatories: json<SignatoryRow[]>(),
    words: texts,
    mustBeNew: boolean,
  },
  row: { isMade: boolean },
  sql: `with living as (
          select id from department where tenant_id = :tenantId and id = :departmentId and deleted_at is null
             for key share
        ), made as (
          insert into signature_request (tenant_id, id, department_id, creator_id, template_id, subject, status,
                                         language_code, reading_authentication_strength, signing_authentication_strength,
                                         external_reference, expiration_at, delivery_methods, placements, fingerprint,
                                         created_at, modified_at, opened_at)
          select :tenantId::uuid, :id::uuid, living.id, :creatorId::uuid, :templateId::uuid, :subject::text, :status::text,
                 :languageCode::text, :readingStrength::text, :signingStrength::text,
                 :externalReference::text, :expirationAt::timestamptz, :deliveryMethods::text[], :placements::jsonb,
                 :fingerprint::bytea, :now::timestamptz, :now::timestamptz, :openedAt::timestamptz
            from living
          on conflict (tenant_id, id) do nothing
          returning id
        ), people as (
          select s.id, s.position, s."firstName", s."lastName", s.email, s."mobilePhone", s."isMandatory",
                 s."authenticationAreaCode", s."personalIdentifier", s."signingOrder", s."externalReference", s."linkHash"
            from made
           cross join jsonb_to_recordset(:signatories::jsonb)
              as s (id uuid, position int, "firstName" text, "lastName" text, email text, "mobilePhone" text,
                    "isMandatory" boolean, "authenticationAreaCode" text, "personalIdentifier" text,
                    "signingOrder" int, "externalReference" text, "linkHash" text)
        ), signatories as (
          insert into signatory (tenant_id, id, request_id, position, first_name, last_name, email, mobile_phone,
                                 is_mandatory, authentication_area_code, personal_identifier, signing_order,
                                 external_reference, state)
          select :tenantId, p.id, :id, p.position, p."firstName", p."lastName", p.email, p."mobilePhone",
                 p."isMandatory", p."authenticationAreaCode", p."personalIdentifier", p."signingOrder",
                 p."externalReference", 'Waiting'
            from people p
        ), links as (
          insert into credential (kind, hash, tenant_id, ref_id, expires_at)
          select 'link', decode(p."linkHash", 'hex'), :tenantId, p.id, :expirationAt
            from people p
           where p."linkHash" is not null
        ), words as (
          insert into signature_request_word (tenant_id, word, created_at, request_id)
          select :tenantId, w.word, :now, made.id
            from made
           cross join unnest(:words::text[]) as w (word)
        )
        select case when :mustBeNew::boolean then 1 / (select count(*) from made) = 1
                    else exists (select from made) end as "isMade"`,
})

const DIVISION_BY_ZERO = '22012'

/** Whether `insertRequest` failed because it made nothing. */
export const isNothingMade = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === DIVISION_BY_ZERO

export type SignatureDocumentRow = {
  id: string
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
  params: { tenantId: uuid, requestId: uuid, levelAsked: text, documents: json<SignatureDocumentRow[]>() },
  sql: `insert into signature_document (tenant_id, id, request_id, position, title, file_name, document_type_id,
                                        external_reference, source_document_id, document_id, sha256, level_asked)
        select :tenantId, d.id, :requestId, d.position, d.title, d."fileName", d."documentTypeId",
               d."externalReference", d."sourceDocumentId", d."documentId", decode(d.sha256, 'hex'), :levelAsked
          from jsonb_to_recordset(:documents::jsonb)
            as d (id uuid, position int, title text, "fileName" text, "documentTypeId" uuid,
                  "externalReference" text, "sourceDocumentId" uuid, "documentId" uuid, sha256 text)`,
})

export const findFingerprint = statement({
  name: 'findRequestFingerprint',
  params: { tenantId: uuid, requestId: uuid },
  row: { fingerprint: bytes },
  sql: `select fingerprint from signature_request where tenant_id = :tenantId and id = :requestId`,
})
