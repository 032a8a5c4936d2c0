import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { insertDepartment } from './department-statements.ts'
import { createKey, type CreatedKey } from './create-key.ts'
import { emailKeyOf } from './email-key.ts'
import { setLoginPlace } from './login-place-statements.ts'
import { insertTenant } from './tenant-statements.ts'
import { insertUser } from './user-statements.ts'
import { keepUserWords } from './user-word-statements.ts'

export type NewTenant = {
  tenantId: string
  name: string
  administrator: { email: string; passwordHash: string }
  /** Values for the first key instead of random ones, for scripts and tests. */
  primaryKey?: string
  now: Date
}

export type CreatedTenant = { tenantId: string; rootDepartmentId: string; administratorId: string; key: CreatedKey }

/** Makes a tenant with its root department, its administrator and a subscription key that reaches all of it. */
export async function createTenant(
  tx: Tx,
  { tenantId, name, administrator, primaryKey, now }: NewTenant,
): Promise<CreatedTenant> {
  const rootDepartmentId = newId()
  const administratorId = newId()
  const emailKey = emailKeyOf(administrator.email)
  await insertTenant.run(tx, { id: tenantId, name, now })
  await insertDepartment.run(tx, {
    tenantId,
    id: rootDepartmentId,
    parentId: null,
    path: [rootDepartmentId],
    name,
    shortName: null,
    contactEmail: administrator.email,
    businessId: null,
    externalReference: null,
    subscriptionTier: null,
    now,
  })
  await insertUser.run(tx, {
    tenantId,
    id: administratorId,
    departmentId: rootDepartmentId,
    kind: 'person',
    role: 'administrator',
    firstName: 'First',
    lastName: 'Administrator',
    email: administrator.email,
    emailKey,
    phone: null,
    externalReference: null,
    language: null,
    timezone: null,
    passwordHash: administrator.passwordHash,
    now,
  })
  await setLoginPlace(tx, { tenantId, userId: administratorId, emailKey })
  await keepUserWords.run(tx, { tenantId, userIds: [administratorId] })
  const key = await createKey(tx, { tenantId, departmentId: rootDepartmentId, name: 'First key', primaryKey, now })
  return { tenantId, rootDepartmentId, administratorId, key }
}
