import { changeCounts } from '#features/counts/index.ts'
import type { Actor } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { endLinksOfRequests } from './end-links.ts'
import { findFlow } from './flow/flow-statements.ts'
import { tellWithdrawn } from './flow/withdraw.ts'
import { appendMove } from './record-move.ts'
import { cancelRequests, findAnyRequest, lockCancelableRequests } from './request-statements.ts'
import type { RequestStatus } from './signature-request.ts'

/** How many requests are held in memory at a time; a department may have any number. */
const BATCH = 500
const REASON = 'The department was deleted.'

type Departments = { tenantId: string; departmentIds: string[] }

/** Whether any signature request, in whatever status, belongs to one of the departments. */
export async function hasRequestsInDepartments(tx: Tx, { tenantId, departmentIds }: Departments): Promise<boolean> {
  return (await findAnyRequest.one(tx, { tenantId, departmentIds })).isThere
}

/** Cancels every Draft and Open request of the departments; what is being finished is finished first. */
export async function cancelRequestsOfDepartments(
  tx: Tx,
  { tenantId, departmentIds, actor, now }: Departments & { actor: Actor; now: Date },
): Promise<void> {
  const totals = new CountChanges()
  for (;;) {
    const batch = await lockCancelableRequests.many(tx, { tenantId, departmentIds, limit: BATCH })
    if (batch.length === 0) break
    const requestIds = batch.map((request) => request.id)
    await cancelRequests.run(tx, { tenantId, requestIds, reason: REASON, now })
    await endLinksOfRequests(tx, { tenantId, requestIds, now })
    for (const { id: requestId, departmentId, creatorId, status } of batch) {
      if (status === 'Open')
        await tellWithdrawn(tx, { tenantId, flow: await findFlow.one(tx, { tenantId, requestId }), now })
      const request = { tenantId, requestId, departmentId, creatorId, from: status, to: 'Canceled' as const }
      const cause = { type: 'signaturerequestcanceled', data: { reason: REASON } }
      await appendMove(tx, { request, actor, cause, reason: REASON, now })
      totals.move(departmentId, status, 'Canceled')
    }
  }
  // Once for all and last: the counters are shared with everybody, so they are held for as short a time as can be.
  await changeCounts(tx, tenantId, 'signaturerequest', totals.list())
}

/** Adds changes up, so that each counter is touched once. */
class CountChanges {
  readonly #amounts = new Map<string, { departmentId: string; status: RequestStatus; by: number }>()

  move(departmentId: string, from: RequestStatus, to: RequestStatus): void {
    this.#add(departmentId, from, -1)
    this.#add(departmentId, to, 1)
  }

  list() {
    return [...this.#amounts.values()]
  }

  #add(departmentId: string, status: RequestStatus, by: number): void {
    const key = `${departmentId} ${status}`
    const before = this.#amounts.get(key)?.by ?? 0
    this.#amounts.set(key, { departmentId, status, by: before + by })
  }
}
