import { actorOf } from '#features/event/index.ts'
import { forgetRecipients } from '#features/messages/index.ts'
import { forgetMetadata } from '#features/metadata/index.ts'
import { erasePerson } from '#features/signing/index.ts'
import { listReachableDepartments, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'

/** Erases the signatory with this address from every finished request within reach. */
export async function eraseSignatory(tx: Tx, { caller, email, now }: { caller: Caller; email: string; now: Date }) {
  const { tenantId } = caller
  const departmentIds = await listReachableDepartments(tx, caller)
  const erased = await erasePerson(tx, { tenantId, email, departmentIds, actor: actorOf(caller), now })
  const { requestIds, signatoryIds, runningRequestIds } = erased
  await forgetRecipients(tx, { tenantId, requestIds, signatoryIds })
  await forgetMetadata(tx, { tenantId, entityIds: signatoryIds })
  return { erased: signatoryIds.length, requestIds, runningRequestIds }
}
