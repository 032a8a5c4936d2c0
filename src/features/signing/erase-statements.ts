import { nullable, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { status } from './request-statements.ts'

export const listPeopleByEmail = statement({
  name: 'listPeopleByEmail',
  params: { tenantId: uuid, emailKey: text, departmentIds: nullable(uuids) },
  row: { id: uuid, requestId: uuid, status },
  sql: `select s.id, s.request_id as "requestId", r.status
          from signatory s
          join signature_request r on r.tenant_id = s.tenant_id and r.id = s.request_id
         where s.tenant_id = :tenantId and s.email_key = :emailKey
           and (:departmentIds::uuid[] is null or r.department_id = any(:departmentIds))
         order by s.request_id, s.id`,
})

export const findSearchable = statement({
  name: 'findSearchableRequest',
  params: { tenantId: uuid, requestId: uuid },
  row: { subject: text, externalReference: nullable(text), createdAt: time },
  sql: `select subject, external_reference as "externalReference", created_at as "createdAt"
          from signature_request where tenant_id = :tenantId and id = :requestId`,
})

export const eraseSignatories = statement({
  name: 'eraseSignatories',
  params: { tenantId: uuid, signatoryIds: uuids },
  sql: `update signatory
           set first_name = null, last_name = null, email = null, mobile_phone = null, personal_identifier = null,
               external_reference = null, decline_reason = null
         where tenant_id = :tenantId and id = any(:signatoryIds)`,
})

/** The mark that was drawn and how the person was known; the evidence has been made. */
export const deleteConfirmations = statement({
  name: 'deleteConfirmationsOfPeople',
  params: { tenantId: uuid, signatoryIds: uuids },
  sql: `delete from signature_confirmation where tenant_id = :tenantId and signatory_id = any(:signatoryIds)`,
})
