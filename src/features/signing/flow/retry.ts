import { actorOf } from '#features/event/index.ts'
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueue, hasten } from '#platform/jobs/enqueue.ts'
import { readRequest, type RequestRepresentation } from '../read-request.ts'
import { getLockedFlow } from './flow.ts'
import { CLOSE_QUEUE } from './go-on.ts'
import { moveRequest } from './move-request.ts'
import { PREPARE_QUEUE } from './prepare-documents.ts'

/** Tries once more: to seal a request that ended in Error, or to prepare one that is Open and could not be prepared. */
export async function retryRequest(
  tx: Tx,
  { caller, requestId, now }: { caller: Caller; requestId: string; now: Date },
): Promise<RequestRepresentation> {
  const { tenantId } = caller
  const flow = await getLockedFlow(tx, { tenantId, requestId })
  await requireReach(tx, caller, flow.departmentId)
  if (flow.status === 'Open' && flow.preparedAt === null && flow.statusReason !== null) {
    await hasten(tx, { tenantId, queue: PREPARE_QUEUE, payload: { requestId }, key: requestId, now })
    return readRequest(tx, { caller, requestId })
  }
  await moveRequest(tx, { tenantId, flow, move: 'retry', actor: actorOf(caller), now })
  await enqueue(tx, { tenantId, queue: CLOSE_QUEUE, payload: { requestId }, key: requestId, now })
  return readRequest(tx, { caller, requestId })
}
