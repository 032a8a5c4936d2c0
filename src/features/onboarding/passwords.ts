// What logging in and setting a password need of a user. Users are this feature's; the identity feature asks here.
import type { Tx } from '#platform/db/database.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { deleteInvitations, hasInvitation, takeInvitation } from './credential-statements.ts'
import { emailKeyOf } from './email-key.ts'
import { findLogin, updatePassword, updateTokensValidAfter } from './login-statements.ts'

export type LoginUser = NonNullable<Awaited<ReturnType<typeof findLoginUser>>>

/** The active user with this login, and the department that a token would act for: null where it is out of reach. */
export function findLoginUser(
  tx: Tx,
  { tenantId, login, departmentId }: { tenantId: string; login: string; departmentId: string | undefined },
) {
  return findLogin.maybeOne(tx, { tenantId, emailKey: emailKeyOf(login), departmentId: departmentId ?? null })
}

type InvitationToken = { tenantId: string; token: string; now: Date }

/** Whether the token of an invitation or a reset would be accepted. */
export async function isInvitation(tx: Tx, { tenantId, token, now }: InvitationToken): Promise<boolean> {
  return (await hasInvitation.one(tx, { tenantId, hash: secretHash(token), now })).isThere
}

/**
 * Uses an invitation or a reset up and sets the password; every token that the user had ends. Answers with the user and
 * the form in which the login is compared, or undefined where the token is unknown, used, expired, or its user deactivated.
 */
export async function acceptInvitation(
  tx: Tx,
  { tenantId, token, passwordHash, now }: InvitationToken & { passwordHash: string },
): Promise<{ login: string; userId: string } | undefined> {
  const taken = await takeInvitation.maybeOne(tx, { tenantId, hash: secretHash(token), now })
  if (taken === undefined) return undefined
  const { userId } = taken
  const changed = await updatePassword.maybeOne(tx, { tenantId, userId, passwordHash, now })
  if (changed === undefined || changed.emailKey === null) return undefined
  await deleteInvitations.run(tx, { tenantId, userIds: [userId] })
  return { login: changed.emailKey, userId }
}

/** Sets another password for somebody who is known already; every token and session of the user ends. */
export async function changePasswordOf(
  tx: Tx,
  change: { tenantId: string; userId: string; passwordHash: string; now: Date },
): Promise<void> {
  await updatePassword.maybeOne(tx, change)
  await deleteInvitations.run(tx, { tenantId: change.tenantId, userIds: [change.userId] })
}

/** Ends every token that the user has been given so far. */
export async function endTokensOf(
  tx: Tx,
  { tenantId, userId, now }: { tenantId: string; userId: string; now: Date },
): Promise<void> {
  await updateTokensValidAfter.run(tx, { tenantId, userId, now })
}
