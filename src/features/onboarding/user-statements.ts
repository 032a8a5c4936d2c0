import { nullable, oneOf, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const insertUser = statement({
  name: 'insertUser',
  params: {
    tenantId: uuid,
    id: uuid,
    departmentId: uuid,
    kind: oneOf(['person', 'service']),
    role: text,
    firstName: nullable(text),
    lastName: nullable(text),
    email: nullable(text),
    emailKey: nullable(text),
    phone: nullable(text),
    externalReference: nullable(text),
    language: nullable(text),
    timezone: nullable(text),
    passwordHash: nullable(text),
    now: time,
  },
  sql: `insert into app_user (tenant_id, id, department_id, kind, role, first_name, last_name, email, email_key, phone,
                              external_reference, language, timezone, password_hash, tokens_valid_after, created_at, modified_at)
        values (:tenantId, :id, :departmentId, :kind, :role, :firstName, :lastName, :email, :emailKey, :phone,
                :externalReference, :language, :timezone, :passwordHash, '-infinity', :now, :now)`,
})
