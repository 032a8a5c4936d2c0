// The moves that belong to the sealing itself: many requests of one tenant to the same status.
import { changeCounts } from '#features/counts/index.ts'
import { appendToMany, SYSTEM, type NewEvent } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { moveRequests } from './seal-statements.ts'
import type { SealingStatus } from './sealing-request.ts'
import type { RequestRow } from './sealing-statements.ts'

export type Move = {
  request: RequestRow
  /** What happened besides the move. */
  event?: NewEvent
  /** What the move's own event tells beside the statuses. */
  data?: Record<string, unknown>
}

type Target = { to: SealingStatus; reason?: string; now: Date }

/** Moves requests of one tenant, with their events and counts. The caller holds their rows. */
export async function moveAll(tx: Tx, moves: readonly Move[], { to, reason, now }: Target): Promise<void> {
  const [first] = moves
  if (first === undefined) return
  const { tenantId } = first.request
  const requestIds = moves.map(({ request }) => request.id)
  const additions = moves.map(({ request, event, data }) => ({
    requestId: request.id,
    departmentId: request.departmentId,
    events: [...(event ? [event] : []), movedEvent(request, to, data)],
  }))
  const counts = moves.flatMap(({ request: { departmentId, status } }) => [
    { departmentId, status, by: -1 },
    { departmentId, status: to, by: 1 },
  ])
  await Promise.all([
    moveRequests.run(tx, { tenantId, requestIds, status: to, statusReason: reason ?? null, now }),
    appendToMany(tx, { tenantId, requestKind: 'sealingrequest', additions }, now),
  ])
  // Last, because everybody who works in the department shares the counters.
  await changeCounts(tx, tenantId, 'sealingrequest', counts)
}

function movedEvent({ creatorId, status }: RequestRow, to: SealingStatus, more: Move['data']): NewEvent {
  const data = { creatorId, previousStatus: status, status: to, ...more }
  return { type: 'sealingrequeststatusupdated', actor: SYSTEM, data }
}
