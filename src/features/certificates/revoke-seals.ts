import { recordActivity } from '#features/activity/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { PUBLISH_QUEUE } from './queues.ts'
import { lockSeal } from './read-seals.ts'
import { sealBody } from './seal-body.ts'
import { countLivingSeals, listLivingSealsOfDepartments, revokeSeals } from './seal-statements.ts'

/** Existing seals stay valid by their timestamps, because this reason does not say that the key was ever in bad hands. */
const REASON = 'cessationOfOperation'

/** Revokes a seal certificate: nothing is sealed with it any more, and the world is told. Once is enough. */
export async function revokeSeal(tx: Tx, { caller, id, now }: { caller: Caller; id: string; now: Date }) {
  const seal = await lockSeal(tx, { caller, id })
  if (seal.state === 'Revoked') return sealBody(seal)
  const [revoked] = await revokeAll(tx, { tenantId: caller.tenantId, ids: [id], now })
  const body = sealBody(revoked!)
  const { departmentId } = body
  const target = { id, name: body.subject }
  await recordActivity(tx, { caller, action: 'certificate.revoked', target, departmentId, now })
  return body
}

/** The same for all seals of departments that are being deleted. */
export async function revokeSealsOfDepartments(
  tx: Tx,
  { tenantId, departmentIds, now }: { tenantId: string; departmentIds: string[]; now: Date },
): Promise<void> {
  const living = await listLivingSealsOfDepartments.many(tx, { tenantId, departmentIds })
  if (living.length > 0) await revokeAll(tx, { tenantId, ids: living.map(({ id }) => id), now })
}

/** How many of them that would be. */
export async function countSealsOfDepartments(
  tx: Tx,
  { tenantId, departmentIds }: { tenantId: string; departmentIds: string[] },
): Promise<number> {
  return (await countLivingSeals.one(tx, { tenantId, departmentIds })).total
}

async function revokeAll(tx: Tx, { tenantId, ids, now }: { tenantId: string; ids: string[]; now: Date }) {
  const revoked = await revokeSeals.many(tx, { tenantId, ids, reason: REASON, now })
  await enqueue(tx, { tenantId, queue: PUBLISH_QUEUE, payload: { certificateIds: ids }, key: PUBLISH_QUEUE, now })
  return revoked
}
