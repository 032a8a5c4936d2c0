// What people do with a password of their own while they are signed in.
import { changePasswordOf, readPerson } from '#features/onboarding/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { hashPassword, requireGoodPassword } from '#platform/auth/passwords.ts'
import { Answer, type Outside, type Work } from '#platform/http/route.ts'
import { passwordNotRight } from './errors.ts'
import { checkLogin } from './log-in.ts'
import { openSession } from './open-session.ts'
import { recordOwnDeed } from './own-deeds.ts'

/** Passes where the caller knows the password. Guesses count together with those of signing in. */
export async function requirePassword(
  outside: Outside,
  { caller, password, field = 'password' }: { caller: Caller; password: string; field?: string },
): Promise<void> {
  const { tenantId, userId } = caller
  const person = await outside.platform.db.transaction(tenantId, (tx) => readPerson(tx, { tenantId, userId }))
  const checked = await checkLogin(outside, { caller, fields: { login: person?.email ?? '', password } })
  if (checked === undefined) throw passwordNotRight(field)
}

type NewPassword = { caller: Caller; fields: { currentPassword: string; newPassword: string } }

export async function prepareNewPassword(outside: Outside, { caller, fields }: NewPassword): Promise<string> {
  await requirePassword(outside, { caller, password: fields.currentPassword, field: 'currentPassword' })
  requireGoodPassword(fields.newPassword, 'newPassword')
  return hashPassword(fields.newPassword)
}

/** Sets the caller's new password. Every token and session ends; the browser that did it gets a new one. */
export async function changeOwnPassword(
  { tx, now, platform }: Work,
  { caller, passwordHash, agent }: { caller: Caller; passwordHash: string; agent: string | undefined },
): Promise<Answer> {
  const { tenantId, userId, sessionId } = caller
  await changePasswordOf(tx, { tenantId, userId, passwordHash, now })
  await recordOwnDeed(tx, { caller, userId, action: 'user.passwordset', now })
  tx.afterCommit(() => platform.authenticator.forget())
  if (sessionId === undefined) return new Answer(204)
  // Sessions up to the moment of the change have ended, so this one is of the moment after.
  const createdAt = new Date(now.getTime() + 1)
  return new Answer(204, undefined, await openSession(tx, { tenantId, userId, agent, createdAt }))
}
