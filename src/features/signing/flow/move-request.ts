import type { Actor } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { invariantBroken } from '#platform/errors.ts'
import { recordMove } from '../record-move.ts'
import { statusAfter, type Move } from '../signature-request.ts'
import type { Flow } from './flow.ts'
import { moveRequest as setStatus } from './flow-statements.ts'

export type RequestMove = {
  tenantId: string
  flow: Flow
  move: Move
  actor: Actor
  /** Becomes the request's statusReason. */
  reason?: string
  /** What happened besides the change of status. */
  cause?: { type: string; data?: Record<string, unknown> }
  now: Date
}

const FINAL = new Set(['Closed', 'Canceled'])

/** Moves a request that the caller holds, with its events and counts. */
export async function moveRequest(
  tx: Tx,
  { tenantId, flow, move, actor, reason, cause, now }: RequestMove,
): Promise<void> {
  const { requestId, departmentId, creatorId, status: from } = flow
  const to = statusAfter(from, move)
  const moved = await setStatus.run(tx, {
    tenantId,
    requestId,
    from,
    to,
    reason: reason ?? null,
    isFinal: FINAL.has(to),
    now,
  })
  if (moved !== 1) throw invariantBroken('a request that is held does not move by itself')
  const request = { tenantId, requestId, departmentId, creatorId, from, to }
  await recordMove(tx, { request, actor, ...(cause && { cause }), reason, now })
}
