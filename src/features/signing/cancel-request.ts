import { actorOf } from '#features/event/index.ts'
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { isUuid } from '#platform/ids.ts'
import { requestNotFound } from './errors.ts'
import { deleteLinksOfRequests } from './link-statements.ts'
import { readRequest, type RequestRepresentation } from './read-request.ts'
import { recordMove } from './record-move.ts'
import { cancelRequests, lockRequest } from './request-statements.ts'
import { statusAfter } from './signature-request.ts'

export type CancelRequest = { caller: Caller; requestId: string; reason: string | undefined; now: Date }

/** Withdraws a request: its links are dead once this has committed. Undefined where it was canceled already. */
export async function cancelRequest(
  tx: Tx,
  { caller, requestId, reason, now }: CancelRequest,
): Promise<RequestRepresentation | undefined> {
  const { tenantId } = caller
  const found = isUuid(requestId) ? await lockRequest.maybeOne(tx, { tenantId, requestId }) : undefined
  if (found === undefined) throw requestNotFound(requestId)
  const { departmentId, creatorId, status: from } = found
  await requireReach(tx, caller, departmentId)
  if (from === 'Canceled') return undefined
  const to = statusAfter(from, 'cancel')

  await cancelRequests.run(tx, { tenantId, requestIds: [requestId], reason: reason ?? null, now })
  await deleteLinksOfRequests.run(tx, { tenantId, requestIds: [requestId] })
  await recordMove(tx, {
    request: { tenantId, requestId, departmentId, creatorId, from, to },
    actor: actorOf(caller),
    cause: { type: 'signaturerequestcanceled', data: { reason: reason ?? null } },
    reason,
    now,
  })
  return readRequest(tx, { caller, requestId })
}
