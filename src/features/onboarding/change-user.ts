import { recordActivity } from '#features/activity/index.ts'
import type { Authenticator } from '#platform/auth/authenticate.ts'
import { callerRole, type Caller } from '#platform/auth/caller.ts'
import { requireDepartment } from '#platform/auth/references.ts'
import { deleteSessionsOf } from '#platform/auth/session-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { deleteInvitations } from './credential-statements.ts'
import { lockTree } from './department-tree.ts'
import { emailKeyOf } from './email-key.ts'
import { lastAdministrator, notYourself } from './errors.ts'
import { fullName } from './full-name.ts'
import { getPerson } from './get-person.ts'
import { setLoginPlace } from './login-place-statements.ts'
import type { UserChangeFields } from './schemas.ts'
import { sendInvitation } from './send-invitation.ts'
import { refuseDuplicate } from './unique-constraints.ts'
import { findPerson, listOtherRoles, updatePerson } from './user-statements.ts'
import { keepUserWords } from './user-word-statements.ts'

export type ChangeUser = {
  caller: Caller
  userId: string
  fields: UserChangeFields
  keyring: Keyring
  authenticator: Authenticator
  now: Date
}

type Person = Awaited<ReturnType<typeof getPerson>>

/** Changes a user within reach: the fields that are given, the department, or whether the user is active. */
export async function changeUser(tx: Tx, { caller, userId, fields, keyring, authenticator, now }: ChangeUser) {
  const { tenantId } = caller
  const { role, departmentId, isActive, email } = fields
  if (isActive === false && userId === caller.userId) throw notYourself()
  // Two administrators who take each other's place away at the same time come one after the other.
  const rootId = await lockTree(tx, tenantId)
  const person = await getPerson(tx, { caller, userId })
  if (departmentId !== undefined) await requireDepartment(tx, { caller, departmentId })
  const next = {
    role: role ?? person.role,
    departmentId: departmentId ?? person.departmentId,
    isActive: isActive ?? person.isActive,
  }
  if (administers(person, rootId) && !administers(next, rootId))
    await requireOtherAdministrator(tx, caller, rootId, userId)

  await refuseDuplicate('email', () => updatePerson.run(tx, { tenantId, userId, ...given(fields), now }))
  if (email !== undefined) await setLoginPlace(tx, { tenantId, userId, emailKey: emailKeyOf(email) })
  await keepUserWords.run(tx, { tenantId, userIds: [userId] })
  if (!next.isActive) await deleteSessionsOf.run(tx, { tenantId, userId })
  if (!next.isActive || (email !== undefined && email !== person.email)) {
    await deleteInvitations.run(tx, { tenantId, userIds: [userId] })
    if (next.isActive && !person.hasPassword) {
      const language = fields.language ?? person.language
      await sendInvitation(tx, { tenantId, userId, departmentId: next.departmentId, language, keyring, now })
    }
  }
  tx.afterCommit(() => authenticator.forget())
  const changed = await findPerson.one(tx, { tenantId, userId })
  await recordActivity(tx, {
    caller,
    action: deedOf(person, changed),
    target: { id: userId, name: fullName(changed) },
    departmentId: changed.departmentId,
    details: { fields: Object.keys(fields) },
    now,
  })
  return changed
}

function deedOf(before: Pick<Person, 'isActive'>, after: Pick<Person, 'isActive'>) {
  if (before.isActive === after.isActive) return 'user.changed'
  return after.isActive ? 'user.reactivated' : 'user.deactivated'
}

function administers(
  { role, departmentId, isActive }: Pick<Person, 'role' | 'departmentId' | 'isActive'>,
  rootId: string,
) {
  return isActive && departmentId === rootId && callerRole(role) === 'administrator'
}

async function requireOtherAdministrator(tx: Tx, { tenantId }: Caller, rootId: string, userId: string): Promise<void> {
  const others = await listOtherRoles.many(tx, { tenantId, departmentId: rootId, userId })
  if (!others.some(({ role }) => callerRole(role) === 'administrator')) throw lastAdministrator()
}

function given(fields: UserChangeFields) {
  return {
    departmentId: fields.departmentId ?? null,
    role: fields.role ?? null,
    firstName: fields.firstName ?? null,
    lastName: fields.lastName ?? null,
    email: fields.email ?? null,
    emailKey: fields.email === undefined ? null : emailKeyOf(fields.email),
    phone: fields.phone ?? null,
    externalReference: fields.externalReference ?? null,
    language: fields.language ?? null,
    timezone: fields.timezone ?? null,
    isActive: fields.isActive ?? null,
  }
}
