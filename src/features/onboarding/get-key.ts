import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { entityNotFound } from '#platform/errors.ts'
import { lockKey } from './key-statements.ts'

/** A living key of a department within the caller's reach, held until the transaction ends. */
export async function getKey(tx: Tx, { caller, keyId }: { caller: Caller; keyId: string }) {
  const key = await lockKey.maybeOne(tx, { tenantId: caller.tenantId, keyId })
  if (key === undefined) throw entityNotFound('subscription key', keyId)
  await requireReach(tx, caller, key.departmentId)
  return key
}
