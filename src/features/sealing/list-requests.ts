import { countRequests } from '#features/counts/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { departmentsToList } from '#platform/auth/departments-to-list.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Page } from '#platform/http/paging.ts'
import { represent } from './entity-tag.ts'
import { SEALING_STATUSES, type SealingStatus } from './sealing-request.ts'
import {
  countByReference,
  listByDepartments,
  listByReference,
  listByStatus,
  listNewest,
  type RequestRow,
} from './sealing-statements.ts'

/** References are the callers' own, so how many requests share one is counted only this far. */
const COUNTED_AT_MOST = 1000

export type ListRequests = {
  caller: Caller
  page: Page
  status?: SealingStatus
  departmentId?: string
  externalReference?: string
}

type Wanted = {
  tenantId: string
  /** Undefined stands for all of the tenant's. */
  departmentIds: string[] | undefined
  status: SealingStatus | undefined
  page: Page
}

/** The requests within reach, newest first, and how many there are. */
export async function listRequests(tx: Tx, { caller, page, status, departmentId, externalReference }: ListRequests) {
  const departmentIds = await departmentsToList(tx, { caller, departmentId })
  const wanted = { tenantId: caller.tenantId, departmentIds, status, page }
  if (externalReference !== undefined) return listReferenced(tx, wanted, externalReference)
  const total = await countRequests(tx, { ...wanted, kind: 'sealingrequest' })
  return { total, items: (await readPage(tx, wanted)).map(represent) }
}

function readPage(tx: Tx, { tenantId, departmentIds, status, page }: Wanted): Promise<RequestRow[]> {
  if (departmentIds) {
    const statuses = status ? [status] : [...SEALING_STATUSES]
    return listByDepartments.many(tx, { tenantId, departmentIds, statuses, ...page })
  }
  return status ? listByStatus.many(tx, { tenantId, status, ...page }) : listNewest.many(tx, { tenantId, ...page })
}

async function listReferenced(tx: Tx, { page, ...wanted }: Wanted, externalReference: string) {
  const { tenantId, departmentIds = null, status = null } = wanted
  const reference = { tenantId, externalReference, departmentIds, status }
  const { total } = await countByReference.one(tx, { ...reference, limit: COUNTED_AT_MOST + 1 })
  const items = await listByReference.many(tx, { ...reference, ...page })
  return {
    total: Math.min(total, COUNTED_AT_MOST),
    ...(total > COUNTED_AT_MOST && { totalIsCapped: true }),
    items: items.map(represent),
  }
}
