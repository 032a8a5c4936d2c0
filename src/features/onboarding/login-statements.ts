// What logging in needs to know of a user, and what a password changes.
import { boolean, nullable, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** No row for whoever is deactivated or has no password. `actsFor` is null where the department asked for is out of reach. */
export const findLogin = statement({
  name: 'findLogin',
  params: { tenantId: uuid, emailKey: text, departmentId: nullable(uuid) },
  row: { userId: uuid, role: text, passwordHash: text, actsFor: nullable(uuid) },
  sql: `select u.id as "userId", u.role, u.password_hash as "passwordHash", d.id as "actsFor"
          from app_user u
          left join department d on d.tenant_id = u.tenant_id and d.id = coalesce(:departmentId, u.department_id)
                                and u.department_id = any(d.path) and d.deleted_at is null
         where u.tenant_id = :tenantId and u.email_key = :emailKey and u.kind = 'person'
           and u.password_hash is not null and u.deactivated_at is null and u.deleted_at is null`,
})

/** Whoever can be sent a link to choose a password. */
export const findForgetful = statement({
  name: 'findForgetful',
  params: { tenantId: uuid, emailKey: text },
  row: { userId: uuid, departmentId: uuid, language: nullable(text), hasPassword: boolean },
  sql: `select id as "userId", department_id as "departmentId", language, password_hash is not null as "hasPassword"
          from app_user
         where tenant_id = :tenantId and email_key = :emailKey and kind = 'person'
           and deactivated_at is null and deleted_at is null
           for update`,
})

/** Answers with the e-mail, whose failures can be forgotten; no row for whoever is deactivated or gone. */
export const updatePassword = statement({
  name: 'updatePassword',
  params: { tenantId: uuid, userId: uuid, passwordHash: text, now: time },
  row: { emailKey: nullable(text) },
  sql: `update app_user
           set password_hash = :passwordHash, tokens_valid_after = :now, modified_at = :now
         where tenant_id = :tenantId and id = :userId and kind = 'person'
           and deactivated_at is null and deleted_at is null
        returning email_key as "emailKey"`,
})

/** Everybody of the tenant has to sign in anew. */
export const endAllSignIns = statement({
  name: 'endAllSignIns',
  params: { tenantId: uuid, now: time },
  sql: `update app_user set tokens_valid_after = :now where tenant_id = :tenantId`,
})

export const updateTokensValidAfter = statement({
  name: 'updateTokensValidAfter',
  params: { tenantId: uuid, userId: uuid, now: time },
  sql: `update app_user set tokens_valid_after = :now where tenant_id = :tenantId and id = :userId`,
})
