// Statements of a request on its way from opening to closing: who is asked, what they saw, what they confirmed.
import { boolean, bytes, count, integer, json, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { STRENGTHS, type DeliveryMethod } from '../authentication.ts'
import type { Placement } from '../creation-statements.ts'
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
    isMandatory: boolean,
    signingOrder: integer,
    externalReference: nullable(text),
    state: oneOf(SIGNATORY_STATES),
    linkGeneration: integer,
    languageCode: nullable(text),
    invitedAt: nullable(time),
    remindedAt: nullable(time),
    signedAt: nullable(time),
    declineReason: nullable(text),
    hasConfirmed: boolean,
  },
  sql: `select s.id, s.position, s.first_name as "firstName", s.last_name as "lastName", s.email,
               s.mobile_phone as "mobilePhone", s.personal_identifier as "personalIdentifier",
               s.is_mandatory as "isMandatory", s.signing_order as "signingOrder",
               s.external_reference as "externalReference", s.state, s.link_generation as "linkGeneration",
               s.language_code as "languageCode", s.invited_at as "invitedAt", s.reminded_at as "remindedAt",
               s.signed_at as "signedAt", s.decline_reason as "declineReason",
               exists (select from signature_confirmation c
                        where c.tenant_id = s.tenant_id and c.signatory_id = s.id) as "hasConfirmed"
          from signatory s
         where s.tenant_id = :tenantId and s.request_id = :requestId
         order by s.position`,
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

/** What a person confirmed to have been shown. */
export type ShownDocument = { id: string; sha256: string; sizeBytes: number }
export type Mark = { kind: 'typed'; text: string } | { kind: 'drawn'; strokes: number[][] }
/** What was really done to know the person, as it goes into the certificate's policy and the evidence. */
export type Authentication = {
  reading: { strength: (typeof STRENGTHS)[number]; at: string | null }
  signing: { strength: (typeof STRENGTHS)[number]; at: string | null }
}

export const insertConfirmation = statement({
  name: 'insertConfirmation',
  params: {
    ...signatory,
    requestId: uuid,
    sessionId: uuid,
    documents: json<ShownDocument[]>(),
    authentication: json<Authentication>(),
    mark: nullable(json<Mark>()),
    now: time,
  },
  sql: `insert into signature_confirmation (tenant_id, signatory_id, request_id, session_id, documents, authentication,
                                            mark, confirmed_at)
        values (:tenantId, :signatoryId, :requestId, :sessionId, :documents, :authentication, :mark, :now)
        on conflict (tenant_id, signatory_id) do nothing`,
})

export const findConfirmation = statement({
  name: 'findConfirmation',
  params: signatory,
  row: {
    requestId: uuid,
    sessionId: uuid,
    documents: json<ShownDocument[]>(),
    authentication: json<Authentication>(),
    mark: nullable(json<Mark>()),
    confirmedAt: time,
  },
  sql: `select request_id as "requestId", session_id as "sessionId", documents, authentication, mark,
               confirmed_at as "confirmedAt"
          from signature_confirmation
         where tenant_id = :tenantId and signatory_id = :signatoryId`,
})

export const listConfirmations = statement({
  name: 'listConfirmations',
  params: request,
  row: { signatoryId: uuid, authentication: json<Authentication>(), mark: nullable(json<Mark>()), confirmedAt: time },
  sql: `select signatory_id as "signatoryId", authentication, mark, confirmed_at as "confirmedAt"
          from signature_confirmation
         where tenant_id = :tenantId and request_id = :requestId`,
})

/** Takes a confirmation back whose signature could not be made: the person may try again. */
export const deleteConfirmation = statement({
  name: 'deleteConfirmation',
  params: signatory,
  sql: `delete from signature_confirmation where tenant_id = :tenantId and signatory_id = :signatoryId`,
})

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
                              where v.tenant_id = d.tenant_id and v.document_id = d.id
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
    kind: oneOf(['prepared', 'signature', 'seal']),
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

export const markPrepared = statement({
  name: 'markPrepared',
  params: { ...request, now: time },
  sql: `update signature_request set prepared_at = :now
         where tenant_id = :tenantId and id = :requestId and prepared_at is null`,
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
                          where c.tenant_id = r.tenant_id and c.request_id = r.id and s.state <> 'Signed')
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
