// In whose name something is sent. Tenants, departments and users are changed by their features; here they are read.
import { boolean, json, nullable, text, texts, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const findSender = statement({
  name: 'findSender',
  params: { tenantId: uuid, departmentId: uuid, userId: uuid },
  row: { organisation: text, department: text, person: nullable(text) },
  sql: `select (select name from tenant where id = :tenantId) as organisation, d.name as department,
               nullif(concat_ws(' ', u.first_name, u.last_name), '') as person
          from department d
          left join app_user u on u.tenant_id = :tenantId and u.id = :userId and u.kind = 'person'
         where d.tenant_id = :tenantId and d.id = :departmentId`,
})

/** Whether the operator has stopped the tenant: then nothing is sent in its name. */
export const findTenantStop = statement({
  name: 'findTenantStop',
  isGlobal: true,
  params: { tenantId: uuid },
  row: { isStopped: boolean },
  sql: `select stopped_at is not null as "isStopped" from tenant where id = :tenantId`,
})

/** What a tenant has chosen: where signatories may be sent back to, and what it has opted into. */
export const findTenantChoices = statement({
  name: 'findTenantChoices',
  isGlobal: true,
  params: { tenantId: uuid },
  row: { returnOrigins: texts, settings: json<{ personalIdentifierInCertificates?: boolean }>() },
  sql: `select return_origins as "returnOrigins", settings from tenant where id = :tenantId`,
})

/** Whom to tell about a thing: who made it, and the nearest administrators, in case that one is gone. */
export const listPeopleInCharge = statement({
  name: 'listPeopleInCharge',
  params: { tenantId: uuid, departmentId: uuid, creatorId: uuid },
  row: { id: uuid, language: nullable(text) },
  sql: `select u.id, u.language
          from department d
          join app_user u on u.tenant_id = d.tenant_id
               and (u.id = :creatorId
                    or (u.department_id = any(d.path) and lower(trim(u.role)) in ('admin', 'administrator', 'owner')))
         where d.tenant_id = :tenantId and d.id = :departmentId
           and u.kind = 'person' and u.email is not null and u.deactivated_at is null and u.deleted_at is null
         order by u.id = :creatorId desc, array_position(d.path, u.department_id) desc, u.id
         limit 5`,
})

export const findPersonInCharge = statement({
  name: 'findPersonInCharge',
  params: { tenantId: uuid, userId: uuid },
  row: { email: text, name: nullable(text) },
  sql: `select email, nullif(concat_ws(' ', first_name, last_name), '') as name
          from app_user
         where tenant_id = :tenantId and id = :userId
           and kind = 'person' and email is not null and deactivated_at is null and deleted_at is null`,
})
