import { text, uuid } from './columns.ts'
import { statement } from './statement.ts'

/** What the tenant's machine has promised to commit, and has not been told to yet; the department leads there. */
export const listPromised = statement({
  name: 'listPromisedCommits',
  params: { tenantId: uuid },
  row: { name: text },
  sql: `select p.gid as name from pg_prepared_xact() as p
         where p.gid like 'citus%' and exists (select from department d where d.tenant_id = :tenantId)`,
})
