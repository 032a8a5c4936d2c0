// In whose name something is sent. Tenants, departments and users are changed by their features; here they are read.
import { json, nullable, text, texts, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const findSender = statement({
  name: 'findSender',
  params: { tenantId: uuid, departmentId: uuid, userId: uuid },
  row: { organisation: text, department: text, person: nullable(text) },
  sql: `select t.name as organisation, d.name as department,
               (select nullif(concat_ws(' ', u.first_name, u.last_name), '')
                  from app_user u
                 where u.tenant_id = d.tenant_id and u.id = :userId and u.kind = 'person') as person
          from department d
          join tenant t on t.id = d.tenant_id
         where d.tenant_id = :tenantId and d.id = :departmentId`,
})

/** What a tenant has chosen: where signatories may be sent back to, and what it has opted into. */
export const findTenantChoices = statement({
  name: 'findTenantChoices',
  isGlobal: true,
  params: { tenantId: uuid },
  row: { returnOrigins: texts, settings: json<{ personalIdentifierInCertificates?: boolean }>() },
  sql: `select return_origins as "returnOrigins", settings from tenant where id = :tenantId`,
})
