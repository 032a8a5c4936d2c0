// Statements that put other content into a Draft. Whoever runs them holds its row.
import { json, nullable, oneOf, text, texts, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { STRENGTHS } from './authentication.ts'
import type { SignatoryRow } from './creation-statements.ts'
import type { Placement } from './new-request.ts'

const request = { tenantId: uuid, requestId: uuid }

export const findDraft = statement({
  name: 'findDraft',
  params: request,
  row: { subject: text, externalReference: nullable(text), createdAt: time },
  sql: `select subject, external_reference as "externalReference", created_at as "createdAt"
          from signature_request
         where tenant_id = :tenantId and id = :requestId`,
})

/** Its people and documents go; its files are released by whoever keeps them. Of what is no Draft, nothing goes. */
export const emptyDraft = statement({
  name: 'emptyDraft',
  params: request,
  sql: `with draft as (
          select id from signature_request where tenant_id = :tenantId and id = :requestId and status = 'Draft'
        ), people as (
          delete from signatory where tenant_id = :tenantId and request_id = (select id from draft)
        )
        delete from signature_document where tenant_id = :tenantId and request_id = (select id from draft)`,
})

export const updateDraft = statement({
  name: 'updateDraft',
  params: {
    ...request,
    departmentId: uuid,
    templateId: nullable(uuid),
    subject: text,
    languageCode: nullable(text),
    readingStrength: oneOf(STRENGTHS),
    signingStrength: oneOf(STRENGTHS),
    externalReference: nullable(text),
    expirationAt: nullable(time),
    deliveryMethods: texts,
    placements: nullable(json<Placement[]>()),
    now: time,
  },
  sql: `update signature_request
           set department_id = :departmentId, template_id = :templateId, subject = :subject,
               language_code = :languageCode, reading_authentication_strength = :readingStrength,
               signing_authentication_strength = :signingStrength, external_reference = :externalReference,
               expiration_at = :expirationAt, delivery_methods = :deliveryMethods, placements = :placements,
               modified_at = :now
         where tenant_id = :tenantId and id = :requestId and status = 'Draft'`,
})

export const insertPeopleOfDraft = statement({
  name: 'insertPeopleOfDraft',
  params: { ...request, signatories: json<Omit<SignatoryRow, 'requestId' | 'linkHash'>[]>() },
  sql: `insert into signatory (tenant_id, id, request_id, position, first_name, last_name, email, mobile_phone,
                               is_mandatory, authentication_area_code, personal_identifier, signing_order,
                               external_reference, state)
        select :tenantId, s.id, :requestId, s.position, s."firstName", s."lastName", s.email, s."mobilePhone",
               s."isMandatory", s."authenticationAreaCode", s."personalIdentifier", s."signingOrder",
               s."externalReference", 'Waiting'
          from jsonb_to_recordset(:signatories::jsonb)
            as s (id uuid, position int, "firstName" text, "lastName" text, email text, "mobilePhone" text,
                  "isMandatory" boolean, "authenticationAreaCode" text, "personalIdentifier" text,
                  "signingOrder" int, "externalReference" text)`,
})

/** The words that it is found by, at the place that it has kept. */
export const insertWordsOfDraft = statement({
  name: 'insertWordsOfDraft',
  params: { ...request, createdAt: time, words: texts },
  sql: `insert into signature_request_word (tenant_id, word, created_at, request_id)
        select :tenantId, w.word, :createdAt, :requestId
          from unnest(:words::text[]) as w (word)`,
})
