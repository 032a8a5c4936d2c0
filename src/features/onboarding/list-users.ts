import type { Caller } from '#platform/auth/caller.ts'
import { departmentsToList } from '#platform/auth/departments-to-list.ts'
import type { Tx } from '#platform/db/database.ts'
import { readPage } from '#platform/http/paging.ts'
import { emailKeyOf } from './email-key.ts'
import type { UserFilter } from './schemas.ts'
import { countFoundPeople, countPeople, listPeople, readWords, searchPeople } from './user-statements.ts'

/** The people of the departments within reach, newest first. */
export async function listUsers(tx: Tx, { caller, query }: { caller: Caller; query: UserFilter }) {
  const page = readPage(query)
  const departmentIds = (await departmentsToList(tx, { caller, departmentId: query.departmentId })) ?? null
  if (query.search !== undefined) return searchUsers(tx, { caller, departmentIds, search: query.search, page })
  const filter = {
    tenantId: caller.tenantId,
    departmentIds,
    emailKey: query.email === undefined ? null : emailKeyOf(query.email),
  }
  const { total } = await countPeople.one(tx, filter)
  return { total, items: await listPeople.many(tx, { ...filter, ...page }) }
}

/** Beyond this they are not counted. */
const MOST_COUNTED = 1000

type Search = { caller: Caller; departmentIds: string[] | null; search: string; page: { skip: number; take: number } }

async function searchUsers(tx: Tx, { caller: { tenantId }, departmentIds, search, page }: Search) {
  const terms = (await readWords.many(tx, { text: search })).map(({ word }) => word)
  if (terms.length === 0) return { total: 0, items: [] }
  const filter = { tenantId, departmentIds, terms }
  const { total } = await countFoundPeople.one(tx, { ...filter, most: MOST_COUNTED + 1 })
  const items = await searchPeople.many(tx, { ...filter, ...page })
  return total > MOST_COUNTED ? { total: MOST_COUNTED, totalIsCapped: true, items } : { total, items }
}
