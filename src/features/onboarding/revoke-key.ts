import { recordActivity } from '#features/activity/index.ts'
import type { Authenticator } from '#platform/auth/authenticate.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { deleteKeyCredentials } from './credential-statements.ts'
import { getKey } from './get-key.ts'
import { markKeyRevoked } from './key-statements.ts'
import { deactivateUser } from './user-statements.ts'

export type RevokeKey = { caller: Caller; keyId: string; authenticator: Authenticator; now: Date }

/** Ends both values of a key. Its service user stays readable, for what was done with the key. */
export async function revokeKey(tx: Tx, { caller, keyId, authenticator, now }: RevokeKey) {
  const { tenantId } = caller
  const { primaryHash: _primary, secondaryHash: _secondary, ...key } = await getKey(tx, { caller, keyId })
  await markKeyRevoked.run(tx, { tenantId, keyId, now })
  await deleteKeyCredentials.run(tx, { tenantId, keyIds: [keyId] })
  await deactivateUser.run(tx, { tenantId, userId: key.serviceUserId, now })
  const { departmentId } = key
  await recordActivity(tx, { caller, action: 'subscriptionkey.revoked', target: key, departmentId, now })
  tx.afterCommit(() => authenticator.forget())
  return key
}
