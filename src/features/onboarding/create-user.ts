import { recordActivity } from '#features/activity/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { requireDepartment } from '#platform/auth/references.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { addPerson } from './add-person.ts'
import { fullName } from './full-name.ts'
import type { UserCreationFields } from './schemas.ts'

export type CreateUser = { caller: Caller; fields: UserCreationFields; keyring: Keyring; now: Date }

/** Makes a user of a department within reach, the caller's own unless another is named. */
export async function createUser(tx: Tx, { caller, fields, keyring, now }: CreateUser) {
  const departmentId = fields.departmentId ?? caller.departmentId
  await requireDepartment(tx, { caller, departmentId })
  const { tenantId } = caller
  const person = await addPerson(tx, { tenantId, departmentId, fields, emailField: 'email', keyring, now })
  const target = { id: person.id, name: fullName(person) }
  await recordActivity(tx, { caller, action: 'user.created', target, departmentId, now })
  return { ...person, departmentId, isActive: true, hasPassword: false, hasSecondFactor: false }
}
