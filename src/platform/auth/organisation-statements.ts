import { text, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

const organisation = { departmentId: uuid, departmentName: text, organisation: text, path: uuids }
const ORGANISATION = `d.id as "departmentId", d.name as "departmentName", t.name as organisation, d.path`

/** What a department is called, whose it is, and the departments above it, from the root down. */
export const findOrganisation = statement({
  name: 'findOrganisation',
  params: { tenantId: uuid, departmentId: uuid },
  row: organisation,
  sql: `select ${ORGANISATION}
          from department d
          join tenant t on t.id = d.tenant_id
         where d.tenant_id = :tenantId and d.id = :departmentId`,
})

/** The same for the department that everything else of the tenant lies below. */
export const findRootOrganisation = statement({
  name: 'findRootOrganisation',
  params: { tenantId: uuid },
  row: organisation,
  sql: `select ${ORGANISATION}
          from department d
          join tenant t on t.id = d.tenant_id
         where d.tenant_id = :tenantId and d.parent_id is null`,
})
