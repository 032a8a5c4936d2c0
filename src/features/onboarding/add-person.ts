import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { emailKeyOf } from './email-key.ts'
import { setLoginPlace } from './login-place-statements.ts'
import type { NewUserFields } from './schemas.ts'
import { sendInvitation } from './send-invitation.ts'
import { refuseDuplicate } from './unique-constraints.ts'
import { insertUser } from './user-statements.ts'
import { keepUserWords } from './user-word-statements.ts'

const ORDINARY_ROLE = 'user'

export type NewPerson = {
  tenantId: string
  departmentId: string
  fields: NewUserFields
  /** How the caller knows the e-mail field, for the refusal. */
  emailField: string
  keyring: Keyring
  now: Date
}

/** Makes a person of a department, with an invitation to set a password. */
export async function addPerson(tx: Tx, { tenantId, departmentId, fields, emailField, keyring, now }: NewPerson) {
  const person = {
    id: newId(),
    role: fields.role ?? ORDINARY_ROLE,
    firstName: fields.firstName ?? null,
    lastName: fields.lastName ?? null,
    email: fields.email,
    phone: fields.phone ?? null,
    externalReference: fields.externalReference ?? null,
    language: fields.language ?? null,
    timezone: fields.timezone ?? null,
  }
  const row = { ...person, tenantId, departmentId, kind: 'person' as const, passwordHash: null, now }
  const emailKey = emailKeyOf(fields.email)
  await refuseDuplicate(emailField, () => insertUser.run(tx, { ...row, emailKey }))
  await setLoginPlace(tx, { tenantId, userId: person.id, emailKey })
  await keepUserWords.run(tx, { tenantId, userIds: [person.id] })
  await sendInvitation(tx, { tenantId, userId: person.id, departmentId, language: person.language, keyring, now })
  return person
}
