import { nullable, text, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const findProfile = statement({
  name: 'findProfile',
  params: { tenantId: uuid, userId: uuid },
  row: {
    id: uuid,
    firstName: nullable(text),
    lastName: nullable(text),
    email: nullable(text),
    phone: nullable(text),
    departamentId: uuid,
    externalReference: nullable(text),
  },
  sql: `select id, first_name as "firstName", last_name as "lastName", email, phone,
               department_id as "departamentId", external_reference as "externalReference"
          from app_user
         where tenant_id = :tenantId and id = :userId and deleted_at is null`,
})
