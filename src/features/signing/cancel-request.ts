import { actorOf } from '#features/event/index.ts'
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { isUuid } from '#platform/ids.ts'
import { requestNotFound, wrongStatus } from './errors.ts'
import { lockFlow } from './flow/flow-statements.ts'
import { withdraw } from './flow/withdraw.ts'
import { readRequest, type RequestRepresentation } from './read-request.ts'
import type { RequestStatus } from './signature-request.ts'

export type CancelRequest = {
  caller: Caller
  requestId: string
  reason: string | undefined
  /** Whoever withdraws a draft to send another does not mean one that was sent meanwhile. */
  onlyFrom: RequestStatus | undefined
  now: Date
}

/** Withdraws a request: its links are dead once this has committed. Undefined where it was canceled already. */
export async function cancelRequest(
  tx: Tx,
  { caller, requestId, reason, onlyFrom, now }: CancelRequest,
): Promise<RequestRepresentation | undefined> {
  const { tenantId } = caller
  const flow = isUuid(requestId) ? await lockFlow.maybeOne(tx, { tenantId, requestId }) : undefined
  if (flow === undefined) throw requestNotFound(requestId)
  await requireReach(tx, caller, flow.departmentId)
  if (onlyFrom !== undefined && flow.status !== onlyFrom)
    throw wrongStatus(flow.status, `canceled as one that is ${onlyFrom}`)
  if (flow.status === 'Canceled') return undefined

  const cause = { type: 'signaturerequestcanceled', data: { reason: reason ?? null } }
  await withdraw(tx, { tenantId, flow, move: 'cancel', actor: actorOf(caller), reason, cause, now })
  return readRequest(tx, { caller, requestId })
}
