// A request on its way from opening to closing, and the people in it.
import { boolean, integer, json, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { STRENGTHS, type DeliveryMethod } from '../authentication.ts'
import type { Placement } from '../new-request.ts'
import { status } from '../request-statements.ts'
import { SIGNATORY_STATES } from '../signature-request.ts'

const request = { tenantId: uuid, requestId: uuid }
const signatory = { tenantId: uuid, signatoryId: uuid }

const flowRow = {
  requestId: uuid,
  departmentId: uuid,
  creatorId: uuid,
  status,
  statusReason: nullable(text),
  subject: text,
  languageCode: nullable(text),
  readingStrength: oneOf(STRENGTHS),
  signingStrength: oneOf(STRENGTHS),
  deliveryMethods: json<DeliveryMethod[]>(),
  placements: nullable(json<Placement[]>()),
  expirationAt: nullable(time),
  openedAt: nullable(time),
  preparedAt: nullable(time),
  evidenceDocumentId: nullable(uuid),
  evidenceJsonDocumentId: nullable(uuid),
}

const FLOW_COLUMNS = `r.id as "requestId", r.department_id as "departmentId", r.creator_id as "creatorId", r.status,
               r.status_reason as "statusReason", r.subject, r.language_code as "languageCode",
               r.reading_authentication_strength as "readingStrength",
               r.signing_authentication_strength as "signingStrength",
               to_json(r.delivery_methods) as "deliveryMethods", r.placements, r.expiration_at as "expirationAt",
               r.opened_at as "openedAt", r.prepared_at as "preparedAt", r.evidence_document_id as "evidenceDocumentId",
               r.evidence_json_document_id as "evidenceJsonDocumentId"`

export const findFlow = statement({
  name: 'findSigningFlow',
  params: request,
  row: flowRow,
  sql: `select ${FLOW_COLUMNS}
          from signature_request r
         where r.tenant_id = :tenantId and r.id = :requestId`,
})

/** Holds the request: whoever moves it or signs in it does so one after the other. */
export const lockFlow = statement({
  name: 'lockSigningFlow',
  params: request,
  row: flowRow,
  sql: `select ${FLOW_COLUMNS}
          from signature_request r
         where r.tenant_id = :tenantId and r.id = :requestId
           for update`,
})

export const findRequestOfSignatory = statement({
  name: 'findRequestOfSignatory',
  params: signatory,
  row: { requestId: uuid },
  sql: `select request_id as "requestId" from signatory where tenant_id = :tenantId and id = :signatoryId`,
})

/** In the order in which they were given. */
export const listPeople = statement({
  name: 'listPeopleOfRequest',
  params: request,
  row: {
    id: uuid,
    position: integer,
    firstName: nullable(text),
    lastName: nullable(text),
    email: nullable(text),
    mobilePhone: nullable(text),
    personalIdentifier: nullable(text),
    authenticationAreaCode: nullable(text),
    isMandatory: boolean,
    signingOrder: integer,
    externalReference: nullable(text),
    state: oneOf(SIGNATORY_STATES),
    linkGeneration: integer,
    languageCode: nullable(text),
    remindedAt: nullable(time),
    reportedAt: nullable(time),
    signedAt: nullable(time),
    declineReason: nullable(text),
    hasConfirmed: boolean,
  },
  sql: `select s.id, s.position, s.first_name as "firstName", s.last_name as "lastName", s.email,
               s.mobile_phone as "mobilePhone", s.personal_identifier as "personalIdentifier",
               s.authentication_area_code as "authenticationAreaCode",
               s.is_mandatory as "isMandatory", s.signing_order as "signingOrder",
               s.external_reference as "externalReference", s.state, s.link_generation as "linkGeneration",
               s.language_code as "languageCode", s.reminded_at as "remindedAt",
               s.reported_at as "reportedAt",
               s.signed_at as "signedAt", s.decline_reason as "declineReason",
               exists (select from signature_confirmation c
                        where c.tenant_id = :tenantId and c.signatory_id = s.id) as "hasConfirmed"
          from signatory s
         where s.tenant_id = :tenantId and s.request_id = :requestId
         order by s.position`,
})

/** Touches nobody who has reported it before. */
export const markReported = statement({
  name: 'markReported',
  params: { ...signatory, now: time },
  sql: `update signatory set reported_at = :now
         where tenant_id = :tenantId and id = :signatoryId and reported_at is null`,
})

export const inviteSignatories = statement({
  name: 'inviteSignatories',
  params: { tenantId: uuid, signatoryIds: uuids, now: time },
  sql: `update signatory set state = 'Invited', invited_at = :now
         where tenant_id = :tenantId and id = any(:signatoryIds) and state = 'Waiting'`,
})

export const noteReminder = statement({
  name: 'noteReminder',
  params: { tenantId: uuid, signatoryIds: uuids, now: time },
  sql: `update signatory set reminded_at = :now where tenant_id = :tenantId and id = any(:signatoryIds)`,
})

export const viewSignatory = statement({
  name: 'viewSignatory',
  params: { ...signatory, now: time },
  sql: `update signatory set state = 'Viewed', viewed_at = :now
         where tenant_id = :tenantId and id = :signatoryId and state = 'Invited'`,
})

export const declineSignatory = statement({
  name: 'declineSignatory',
  params: { ...signatory, reason: text, now: time },
  sql: `update signatory set state = 'Declined', declined_at = :now, decline_reason = :reason
         where tenant_id = :tenantId and id = :signatoryId and state in ('Invited', 'Viewed')`,
})

export const signSignatory = statement({
  name: 'signSignatory',
  params: { ...signatory, now: time },
  sql: `update signatory set state = 'Signed', signed_at = :now
         where tenant_id = :tenantId and id = :signatoryId and state in ('Invited', 'Viewed')`,
})

export const skipUnsigned = statement({
  name: 'skipUnsignedSignatories',
  params: request,
  row: { id: uuid },
  sql: `update signatory set state = 'Skipped'
         where tenant_id = :tenantId and request_id = :requestId and state in ('Waiting', 'Invited', 'Viewed')
        returning id`,
})

export const setSignatoryLanguage = statement({
  name: 'setSignatoryLanguage',
  params: { ...signatory, languageCode: text },
  sql: `update signatory set language_code = :languageCode where tenant_id = :tenantId and id = :signatoryId`,
})

export const markPrepared = statement({
  name: 'markPrepared',
  params: { ...request, now: time },
  sql: `update signature_request set prepared_at = :now, status_reason = null
         where tenant_id = :tenantId and id = :requestId and prepared_at is null`,
})

/** Why an Open request does not get any further. */
export const explainDelay = statement({
  name: 'explainDelay',
  params: { ...request, reason: text, now: time },
  sql: `update signature_request set status_reason = :reason, modified_at = :now
         where tenant_id = :tenantId and id = :requestId and status = 'Open' and prepared_at is null`,
})

export const moveRequest = statement({
  name: 'moveRequest',
  params: { ...request, from: status, to: status, reason: nullable(text), isFinal: boolean, now: time },
  sql: `update signature_request
           set status = :to, status_reason = :reason, modified_at = :now,
               finished_at = case when :isFinal then :now::timestamptz else finished_at end
         where tenant_id = :tenantId and id = :requestId and status = :from`,
})

export const setEvidence = statement({
  name: 'setEvidence',
  params: { ...request, documentId: uuid, jsonDocumentId: uuid },
  sql: `update signature_request
           set evidence_document_id = :documentId, evidence_json_document_id = :jsonDocumentId
         where tenant_id = :tenantId and id = :requestId`,
})

export const setEvidencePdf = statement({
  name: 'setEvidencePdf',
  params: { ...request, documentId: uuid },
  sql: `update signature_request set evidence_document_id = :documentId
         where tenant_id = :tenantId and id = :requestId`,
})

/** Open requests whose time is up. Those in which a confirmed signature is still being made are left for later. */
export const listExpired = statement({
  name: 'listExpiredRequests',
  params: { tenantId: uuid, now: time, limit: integer },
  row: { id: uuid },
  sql: `select r.id
          from signature_request r
         where r.tenant_id = :tenantId and r.status = 'Open' and r.expiration_at <= :now
           and not exists (select from signature_confirmation c join signatory s
                             on s.tenant_id = c.tenant_id and s.id = c.signatory_id
                          where c.tenant_id = :tenantId and c.request_id = r.id and s.state <> 'Signed')
         order by r.expiration_at
         limit :limit`,
})

export const listDueReminders = statement({
  name: 'listDueReminders',
  params: { tenantId: uuid, before: time, limit: integer },
  row: { id: uuid },
  sql: `select id from signature_request
         where tenant_id = :tenantId and status = 'Open' and expiry_reminded_at is null and expiration_at <= :before
         order by expiration_at
         limit :limit`,
})

export const noteExpiryReminder = statement({
  name: 'noteExpiryReminder',
  params: { ...request, now: time },
  sql: `update signature_request set expiry_reminded_at = :now
         where tenant_id = :tenantId and id = :requestId and status = 'Open' and expiry_reminded_at is null`,
})
