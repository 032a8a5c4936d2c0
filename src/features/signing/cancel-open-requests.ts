import { changeCounts } from '#features/counts/index.ts'
import { appendToMany, SYSTEM } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { endLinksOfRequests } from './end-links.ts'
import { moveEvents } from './record-move.ts'
import { cancelRequests, lockOpenRequests } from './request-statements.ts'

export type CancelOpenRequests = { tenantId: string; reason: string; limit: number; now: Date }

/** Cancels Open requests of a tenant, so many at most, and tells nobody; answers with how many it found. */
export async function cancelOpenRequests(
  tx: Tx,
  { tenantId, reason, limit, now }: CancelOpenRequests,
): Promise<number> {
  const found = await lockOpenRequests.many(tx, { tenantId, limit })
  if (found.length === 0) return 0
  const requestIds = found.map(({ id }) => id)
  await cancelRequests.run(tx, { tenantId, requestIds, reason, now })
  await endLinksOfRequests(tx, { tenantId, requestIds, now })
  const cause = { type: 'signaturerequestcanceled', data: { reason } }
  const additions = found.map(({ id: requestId, departmentId, creatorId }) => ({
    requestId,
    departmentId,
    events: moveEvents({ creatorId, from: 'Open', to: 'Canceled', actor: SYSTEM, cause, reason }),
  }))
  await appendToMany(tx, { tenantId, requestKind: 'signaturerequest', additions }, now)
  const changes = found.flatMap(({ departmentId }) => [
    { departmentId, status: 'Open', by: -1 },
    { departmentId, status: 'Canceled', by: 1 },
  ])
  await changeCounts(tx, tenantId, 'signaturerequest', changes)
  return found.length
}
