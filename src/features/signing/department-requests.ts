import { changeCounts, sumUp, type CountChange } from '#features/counts/index.ts'
import type { Actor } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { endLinksOfRequests } from './end-links.ts'
import { findFlow } from './flow/flow-statements.ts'
import { tellWithdrawn } from './flow/withdraw.ts'
import { appendMove } from './record-move.ts'
import { cancelRequests, findAnyRequest, lockCancelableRequests } from './request-statements.ts'

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
  let changes: CountChange[] = []
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
      changes.push({ departmentId, status, by: -1 }, { departmentId, status: 'Canceled', by: 1 })
    }
    changes = sumUp(changes)
  }
  // Once for all and last: the counters are shared with everybody, so they are held for as short a time as can be.
  await changeCounts(tx, tenantId, 'signaturerequest', changes)
}
