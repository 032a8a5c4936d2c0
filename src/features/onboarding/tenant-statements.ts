import { text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const insertTenant = statement({
  name: 'insertTenant',
  isGlobal: true,
  params: { id: uuid, name: text, now: time },
  sql: `insert into tenant (id, name, created_at) values (:id, :name, :now)`,
})

export const listTenants = statement({
  name: 'listTenants',
  isGlobal: true,
  params: {},
  row: { id: uuid, name: text, createdAt: time },
  sql: `select id, name, created_at as "createdAt" from tenant order by created_at, id`,
})
