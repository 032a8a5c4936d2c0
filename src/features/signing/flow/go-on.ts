import { SYSTEM } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Flow } from './flow.ts'
import { listPeople } from './flow-statements.ts'
import { inviteNext } from './invite-next.ts'
import { moveRequest } from './move-request.ts'
import { isComplete } from './people.ts'

export const CLOSE_QUEUE = 'signing.close'

/** After somebody has answered: asks the next group, or has the request sealed once nobody has to sign any more. */
export async function goOn(
  tx: Tx,
  { tenantId, flow, now }: { tenantId: string; flow: Flow; now: Date },
): Promise<void> {
  const { requestId } = flow
  const people = await listPeople.many(tx, { tenantId, requestId })
  if (!isComplete(people)) return inviteNext(tx, { tenantId, flow, now })
  await moveRequest(tx, { tenantId, flow, move: 'complete', actor: SYSTEM, now })
  await enqueue(tx, { tenantId, queue: CLOSE_QUEUE, payload: { requestId }, key: requestId, now })
}
