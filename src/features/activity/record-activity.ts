import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { targetTypeOf, type Action, type Details } from './activity.ts'
import { insertActivity } from './activity-statements.ts'

export type Deed = {
  caller: Pick<Caller, 'tenantId' | 'userId' | 'keyId' | 'requestId' | 'reason'>
  action: Action
  target: { id: string; name: string | null }
  departmentId: string
  details?: Details
  now: Date
}

/** Writes down who did what. Stands or falls with the transaction of the deed itself. */
export async function recordActivity(tx: Tx, deed: Deed): Promise<void> {
  const { caller, action, target, departmentId, details = {}, now } = deed
  await insertActivity.run(tx, {
    tenantId: caller.tenantId,
    id: newId(),
    now,
    action,
    actorId: caller.userId,
    keyId: caller.keyId ?? null,
    departmentId,
    targetType: targetTypeOf(action),
    targetId: target.id,
    targetName: target.name,
    details: caller.reason === undefined ? details : { ...details, reason: caller.reason },
    requestId: caller.requestId ?? null,
  })
}
