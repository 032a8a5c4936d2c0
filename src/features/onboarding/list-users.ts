import type { Caller } from '#platform/auth/caller.ts'
import { departmentsToList } from '#platform/auth/departments-to-list.ts'
import type { Tx } from '#platform/db/database.ts'
import { readPage } from '#platform/http/paging.ts'
import { emailKeyOf } from './email-key.ts'
import type { UserFilter } from './schemas.ts'
import { countPeople, listPeople } from './user-statements.ts'

/** The people of the departments within reach, newest first. */
export async function listUsers(tx: Tx, { caller, query }: { caller: Caller; query: UserFilter }) {
  const page = readPage(query)
  const filter = {
    tenantId: caller.tenantId,
    departmentIds: (await departmentsToList(tx, { caller, departmentId: query.departmentId })) ?? null,
    emailKey: query.email === undefined ? null : emailKeyOf(query.email),
  }
  const { total } = await countPeople.one(tx, filter)
  return { total, items: await listPeople.many(tx, { ...filter, ...page }) }
}
