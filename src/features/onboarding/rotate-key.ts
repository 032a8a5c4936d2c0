import { recordActivity } from '#features/activity/index.ts'
import type { Authenticator } from '#platform/auth/authenticate.ts'
import { deleteCredential, insertCredential } from '#platform/auth/auth-statements.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { newKeyValue } from './create-key.ts'
import { getKey } from './get-key.ts'
import { updateKeyHashes } from './key-statements.ts'
import type { KeyValue } from './schemas.ts'

export type RotateKey = { caller: Caller; keyId: string; which: KeyValue; authenticator: Authenticator; now: Date }

/** Replaces one of a key's two values; the other goes on, so that callers can change over without a gap. */
export async function rotateKey(tx: Tx, { caller, keyId, which, authenticator, now }: RotateKey) {
  const { tenantId } = caller
  const { primaryHash, secondaryHash, ...key } = await getKey(tx, { caller, keyId })
  const value = newKeyValue()
  const hash = secretHash(value)
  const isPrimary = which === 'primary'
  await deleteCredential.run(tx, { kind: 'key', hash: isPrimary ? primaryHash : secondaryHash, tenantId })
  await insertCredential.run(tx, { kind: 'key', hash, tenantId, refId: keyId, expiresAt: null })
  await updateKeyHashes.run(tx, {
    tenantId,
    keyId,
    primaryHash: isPrimary ? hash : primaryHash,
    secondaryHash: isPrimary ? secondaryHash : hash,
    now,
  })
  await recordActivity(tx, {
    caller,
    action: 'subscriptionkey.rotated',
    target: key,
    departmentId: key.departmentId,
    details: { which },
    now,
  })
  tx.afterCommit(() => authenticator.forget())
  return { ...key, rotationDate: now, ...(isPrimary ? { primaryKey: value } : { secondaryKey: value }) }
}
