// Statements that read whole requests: the rows of a page, their signatories and their documents.
import { boolean, bytes, integer, json, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { STRENGTHS, type DeliveryMethod } from './authentication.ts'
import { status, type ArchivingError } from './request-statements.ts'
import { SIGNATORY_STATES } from './signature-request.ts'

const requests = { tenantId: uuid, requestIds: uuids }

export const listRequestRows = statement({
  name: 'listSignatureRequestRows',
  params: requests,
  row: {
    id: uuid,
    subject: text,
    status,
    statusReason: nullable(text),
    languageCode: nullable(text),
    creatorId: uuid,
    departmentId: uuid,
    signatureRequestTemplateId: nullable(uuid),
    readingAuthenticationStrength: oneOf(STRENGTHS),
    signingAuthenticationStrength: oneOf(STRENGTHS),
    externalReference: nullable(text),
    expirationDate: nullable(time),
    deliveryMethods: json<DeliveryMethod[]>(),
    archivingError: nullable(json<ArchivingError>()),
    creationDate: time,
    modifiedDate: time,
    openedDate: nullable(time),
    finishedDate: nullable(time),
  },
  sql: `select id, subject, status, status_reason as "statusReason", language_code as "languageCode",
               creator_id as "creatorId", department_id as "departmentId", template_id as "signatureRequestTemplateId",
               reading_authentication_strength as "readingAuthenticationStrength",
               signing_authentication_strength as "signingAuthenticationStrength",
               external_reference as "externalReference", expiration_at as "expirationDate",
               to_json(delivery_methods) as "deliveryMethods", archiving_error as "archivingError",
               created_at as "creationDate", modified_at as "modifiedDate", opened_at as "openedDate",
               finished_at as "finishedDate"
          from signature_request
         where tenant_id = :tenantId and id = any(:requestIds)
         order by created_at desc, id desc`,
})

export const listSignatories = statement({
  name: 'listSignatories',
  params: requests,
  row: {
    id: uuid,
    requestId: uuid,
    firstName: nullable(text),
    lastName: nullable(text),
    email: nullable(text),
    mobilePhone: nullable(text),
    isMandatory: boolean,
    authenticationAreaCode: nullable(text),
    personalIdentifier: nullable(text),
    signatoryGroupSigningOrder: integer,
    externalReference: nullable(text),
    state: oneOf(SIGNATORY_STATES),
    linkGeneration: integer,
    invitedDate: nullable(time),
    viewedDate: nullable(time),
    signedDate: nullable(time),
    declinedDate: nullable(time),
    declineReason: nullable(text),
  },
  sql: `select id, request_id as "requestId", first_name as "firstName", last_name as "lastName", email,
               mobile_phone as "mobilePhone", is_mandatory as "isMandatory",
               authentication_area_code as "authenticationAreaCode", personal_identifier as "personalIdentifier",
               signing_order as "signatoryGroupSigningOrder", external_reference as "externalReference", state,
               link_generation as "linkGeneration", invited_at as "invitedDate", viewed_at as "viewedDate",
               signed_at as "signedDate", declined_at as "declinedDate", decline_reason as "declineReason"
          from signatory
         where tenant_id = :tenantId and request_id = any(:requestIds)
         order by request_id, position`,
})

export const listDocuments = statement({
  name: 'listSignatureDocuments',
  params: requests,
  row: {
    id: uuid,
    requestId: uuid,
    title: nullable(text),
    fileName: text,
    documentTypeId: nullable(uuid),
    externalReference: nullable(text),
    documentURI: uuid,
    sourceDocumentURI: uuid,
    sha256: bytes,
    levelAsked: text,
    levelReached: nullable(text),
  },
  sql: `select id, request_id as "requestId", title, file_name as "fileName", document_type_id as "documentTypeId",
               external_reference as "externalReference", document_id as "documentURI",
               source_document_id as "sourceDocumentURI", sha256, level_asked as "levelAsked",
               level_reached as "levelReached"
          from signature_document
         where tenant_id = :tenantId and request_id = any(:requestIds)
         order by request_id, position`,
})
