import { changeCounts } from '#features/counts/index.ts'
import { appendEvents, type Actor } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { cancelRequests, findAnyRequest, lockCancelableRequests } from './sealing-statements.ts'

/** How many requests are held in memory at a time; a department may have any number. */
const BATCH = 500

type Departments = { tenantId: string; departmentIds: string[] }

/** Whether any sealing request, in whatever status, belongs to one of the departments. */
export async function hasRequestsInDepartments(tx: Tx, { tenantId, departmentIds }: Departments): Promise<boolean> {
  return (await findAnyRequest.one(tx, { tenantId, departmentIds })).isThere
}

/** Cancels every Draft and Open request of the departments; what is being sealed is finished first. */
export async function cancelRequestsOfDepartments(
  tx: Tx,
  { tenantId, departmentIds, actor, now }: Departments & { actor: Actor; now: Date },
): Promise<void> {
  for (;;) {
    const batch = await lockCancelableRequests.many(tx, { tenantId, departmentIds, limit: BATCH })
    if (batch.length === 0) return
    await cancelRequests.run(tx, { tenantId, requestIds: batch.map((request) => request.id), now })
    for (const request of batch) await recordCancellation(tx, { tenantId, request, actor, now })
  }
}

type Canceled = {
  tenantId: string
  request: { id: string; departmentId: string; status: string }
  actor: Actor
  now: Date
}

async function recordCancellation(tx: Tx, { tenantId, request, actor, now }: Canceled): Promise<void> {
  const { id: requestId, departmentId, status } = request
  const data = { previousStatus: status, status: 'Canceled' }
  await appendEvents(
    tx,
    { tenantId, requestId, requestKind: 'sealingrequest', departmentId },
    [{ type: 'sealingrequeststatusupdated', actor, data }],
    now,
  )
  await changeCounts(tx, tenantId, 'sealingrequest', [
    { departmentId, status, by: -1 },
    { departmentId, status: 'Canceled', by: 1 },
  ])
}
