import { randomBytes } from 'node:crypto'
import { insertCredential } from '#platform/auth/auth-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { insertKey } from './key-statements.ts'
import { insertUser } from './user-statements.ts'

export type NewKey = {
  tenantId: string
  departmentId: string
  name: string
  primaryKey?: string | undefined
  now: Date
}
export type CreatedKey = { keyId: string; serviceUserId: string; primaryKey: string; secondaryKey: string }

const PREFIX = 'csk_'

/** A new value for a key: 256 random bits behind a prefix by which scanners recognise a leaked one. */
export function newKeyValue(): string {
  return PREFIX + randomBytes(32).toString('base64url')
}

/** Makes a key with its two values and its service user. The values are returned this once; only hashes are stored. */
export async function createKey(
  tx: Tx,
  { tenantId, departmentId, name, now, primaryKey = newKeyValue() }: NewKey,
): Promise<CreatedKey> {
  const keyId = newId()
  const serviceUserId = newId()
  const secondaryKey = newKeyValue()
  const [primaryHash, secondaryHash] = [secretHash(primaryKey), secretHash(secondaryKey)]
  await insertUser.run(tx, {
    tenantId,
    id: serviceUserId,
    departmentId,
    kind: 'service',
    role: 'service',
    firstName: null,
    lastName: name,
    email: null,
    emailKey: null,
    phone: null,
    externalReference: null,
    language: null,
    timezone: null,
    passwordHash: null,
    now,
  })
  await insertKey.run(tx, { tenantId, id: keyId, name, departmentId, serviceUserId, primaryHash, secondaryHash, now })
  for (const hash of [primaryHash, secondaryHash]) {
    await insertCredential.run(tx, { kind: 'key', hash, tenantId, refId: keyId, expiresAt: null })
  }
  return { keyId, serviceUserId, primaryKey, secondaryKey }
}
