// What every change of status leaves behind: the event that says why, the event that says from what to what, the counts.
import { changeCounts } from '#features/counts/index.ts'
import { appendEvents, type Actor, type NewEvent } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { RequestStatus } from './signature-request.ts'

export type MovedRequest = {
  tenantId: string
  requestId: string
  departmentId: string
  creatorId: string
  from: RequestStatus
  to: RequestStatus
}

export type MoveRecord = {
  request: MovedRequest
  actor: Actor
  /** What happened besides the change of status: its own event, before the one of the status. */
  cause?: { type: string; data?: Record<string, unknown> }
  reason?: string | undefined
  now: Date
}

/** Appends a move's events. The counts are left to the caller, who may have many moves to add up. */
export async function appendMove(tx: Tx, { request, actor, cause, reason, now }: MoveRecord): Promise<void> {
  const { tenantId, requestId, departmentId } = request
  const events = moveEvents({ ...request, actor, reason, ...(cause && { cause }) })
  await appendEvents(tx, { tenantId, requestId, requestKind: 'signaturerequest', departmentId }, events, now)
}

type MoveTold = StatusUpdate & Pick<MoveRecord, 'cause'>

/** The events of a move: why, where there is more to say than its status, and from what to what. */
export function moveEvents({ cause, ...update }: MoveTold): NewEvent[] {
  const { actor, creatorId } = update
  const updated = statusUpdated(update)
  return cause ? [{ type: cause.type, actor, data: { creatorId, ...cause.data } }, updated] : [updated]
}

/** Events and counts of one move. */
export async function recordMove(tx: Tx, record: MoveRecord): Promise<void> {
  await appendMove(tx, record)
  const { tenantId, departmentId, from, to } = record.request
  await changeCounts(tx, tenantId, 'signaturerequest', [
    { departmentId, status: from, by: -1 },
    { departmentId, status: to, by: 1 },
  ])
}

type StatusUpdate = {
  actor: Actor
  creatorId: string
  from: RequestStatus
  to: RequestStatus
  reason?: string | undefined
}

export function statusUpdated({ actor, creatorId, from, to, reason }: StatusUpdate): NewEvent {
  const data = { creatorId, status: to, previousStatus: from, ...(reason !== undefined && { reason }) }
  return { type: 'signaturerequeststatusupdated', actor, data }
}
