import type { Static } from 'typebox'
import { countRequests } from '#features/counts/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { departmentsToList } from '#platform/auth/departments-to-list.ts'
import type { Tx } from '#platform/db/database.ts'
import { readPage, type Page } from '#platform/http/paging.ts'
import { findIdsByDepartment, findIdsByReference, findIdsByStatus, findNewestIds } from './listing-statements.ts'
import { readRequests } from './read-request.ts'
import type { ListQuery } from './schemas.ts'
import { findIdsBySearch } from './search-requests.ts'
import { REQUEST_STATUSES, type RequestStatus } from './signature-request.ts'

/** What a search or a reference finds is counted so far; whether there is more is said, not how much. */
const MOST_COUNTED = 1000

type Filter = {
  tenantId: string
  /** Undefined stands for all departments of the tenant. */
  departmentIds: string[] | undefined
  status: RequestStatus | undefined
}

type Found = { ids: string[]; total: number; totalIsCapped?: boolean }

/** A page of the requests within the caller's reach, newest first. */
export async function listRequests(tx: Tx, { caller, query }: { caller: Caller; query: Static<typeof ListQuery> }) {
  const { externalReference, status } = query
  const search = query.search?.trim() === '' ? undefined : query.search
  const page = readPage(query)
  const { tenantId } = caller
  const departmentIds = await departmentsToList(tx, { caller, departmentId: query.departmentId })
  const filter = { tenantId, departmentIds, status }
  const isPlain = externalReference === undefined && search === undefined
  const { ids, ...totals } = isPlain
    ? await findPlainly(tx, filter, page)
    : cut(await findClosely(tx, { ...filter, externalReference, search }, mostNeeded(page)), page)
  return { ...totals, items: await readRequests(tx, { tenantId, requestIds: ids }) }
}

async function findPlainly(tx: Tx, filter: Filter, page: Page): Promise<Found> {
  const [total, found] = await Promise.all([
    countRequests(tx, { ...filter, kind: 'signaturerequest' }),
    findPage(tx, filter, page),
  ])
  return { ids: found.map((row) => row.id), total }
}

async function findPage(tx: Tx, { tenantId, departmentIds, status }: Filter, page: Page): Promise<{ id: string }[]> {
  if (departmentIds !== undefined) {
    const statuses = status === undefined ? [...REQUEST_STATUSES] : [status]
    return findIdsByDepartment.many(tx, { tenantId, departmentIds, statuses, ...page })
  }
  if (status !== undefined) return findIdsByStatus.many(tx, { tenantId, status, ...page })
  return findNewestIds.many(tx, { tenantId, ...page })
}

type CloseFilter = Filter & { externalReference: string | undefined; search: string | undefined }

async function findClosely(tx: Tx, filter: CloseFilter, most: number): Promise<string[]> {
  const { tenantId, externalReference, search, departmentIds, status } = filter
  if (search !== undefined) {
    return findIdsBySearch(tx, { tenantId, search, externalReference, departmentIds, status, most })
  }
  const found = await findIdsByReference.many(tx, {
    tenantId,
    externalReference: externalReference!,
    departmentIds: departmentIds ?? null,
    status: status ?? null,
    most,
  })
  return found.map((row) => row.id)
}

/** Enough to answer with the page, and to know whether there are more than are counted. */
function mostNeeded({ skip, take }: Page): number {
  return Math.max(skip + take, MOST_COUNTED + 1)
}

function cut(ids: string[], { skip, take }: Page): Found {
  const isCapped = ids.length > MOST_COUNTED
  return {
    ids: ids.slice(skip, skip + take),
    total: isCapped ? MOST_COUNTED : ids.length,
    ...(isCapped && { totalIsCapped: true }),
  }
}
