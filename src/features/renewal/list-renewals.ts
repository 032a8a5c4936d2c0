import type { Static } from 'typebox'
import { departmentsToList } from '#platform/auth/departments-to-list.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { readPage } from '#platform/http/paging.ts'
import { listCalendar } from './renewal-statements.ts'
import type { RenewalQuery } from './schemas.ts'

/** The calendar of renewals within reach, the next one first. */
export async function listRenewals(tx: Tx, { caller, query }: { caller: Caller; query: Static<typeof RenewalQuery> }) {
  const { tenantId } = caller
  const departmentIds = (await departmentsToList(tx, { caller, departmentId: query.departmentId })) ?? null
  const from = query.from === undefined ? null : new Date(query.from)
  const rows = await listCalendar.many(tx, { tenantId, departmentIds, from, take: readPage(query).take })
  return { items: rows.map(({ storedDocumentId, ...rest }) => ({ ...rest, documentURI: storedDocumentId })) }
}
