import { recordActivity } from '#features/activity/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { addPerson } from './add-person.ts'
import { insertDepartment } from './department-statements.ts'
import { getParent, lockTree, requireLevels } from './department-tree.ts'
import type { NewDepartmentFields } from './schemas.ts'
import { refuseDuplicate } from './unique-constraints.ts'

const PARENT = 'department.parentDepartmentId'

export type CreateDepartment = { caller: Caller; fields: NewDepartmentFields; keyring: Keyring; now: Date }

/** Makes a department with its users, the whole of it or none. Without a named parent it hangs below the caller's own. */
export async function createDepartment(tx: Tx, { caller, fields, keyring, now }: CreateDepartment) {
  const { tenantId } = caller
  await lockTree(tx, tenantId)
  const { parentDepartmentId: parentId = caller.departmentId } = fields
  const parent = await getParent(tx, { caller, parentId, field: PARENT })
  requireLevels(parent.path.length + 1, PARENT)
  const department = newDepartment(fields, { tenantId, parentDepartmentId: parent.id })
  await refuseDuplicate('department.externalReference', () =>
    insertDepartment.run(tx, {
      ...department,
      parentId: parent.id,
      path: [...parent.path, department.id],
      subscriptionTier: fields.subscriptionTier ?? null,
      now,
    }),
  )
  const users = []
  for (const [index, user] of (fields.users ?? []).entries()) {
    const emailField = `department.users[${index}].email`
    users.push(await addPerson(tx, { tenantId, departmentId: department.id, fields: user, emailField, keyring, now }))
  }
  await recordActivity(tx, {
    caller,
    action: 'department.created',
    target: department,
    departmentId: department.id,
    details: { users: users.length },
    now,
  })
  return { ...department, users }
}

function newDepartment(fields: NewDepartmentFields, place: { tenantId: string; parentDepartmentId: string }) {
  return {
    id: newId(),
    name: fields.name,
    shortName: fields.shortName ?? null,
    contactEmail: fields.contactEmail ?? null,
    businessId: fields.businessId ?? null,
    // An empty reference is none: otherwise only one department of a tenant could have it.
    externalReference: fields.externalReference || null,
    ...place,
  }
}
