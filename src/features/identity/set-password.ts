import { acceptInvitation, isInvitation } from '#features/onboarding/index.ts'
import { hashPassword, requireGoodPassword } from '#platform/auth/passwords.ts'
import type { Outside, Work } from '#platform/http/route.ts'
import { invitationNotAccepted } from './errors.ts'
import { forgetFailures } from './login-attempts.ts'
import { recordOwnDeed, type OwnDeed } from './own-deeds.ts'

type SetPassword = { caller: OwnDeed['caller']; fields: { token: string; password: string } }

/** The hash of a password that may be set. Nobody without a good token makes us compute one. */
export async function hashNewPassword({ platform, now }: Outside, { caller, fields }: SetPassword): Promise<string> {
  const { tenantId } = caller
  const { token, password } = fields
  const isGood = await platform.db.transaction(tenantId, (tx) => isInvitation(tx, { tenantId, token, now }))
  if (!isGood) throw invitationNotAccepted()
  requireGoodPassword(password, 'password')
  return hashPassword(password)
}

/** Uses the token up and sets the password; whoever was logged in as this user is logged out. */
export async function setPassword(
  { tx, now, platform }: Work,
  { caller, fields, passwordHash }: SetPassword & { passwordHash: string },
): Promise<undefined> {
  const { tenantId } = caller
  const accepted = await acceptInvitation(tx, { tenantId, token: fields.token, passwordHash, now })
  if (accepted === undefined) throw invitationNotAccepted()
  await forgetFailures(tx, { tenantId, login: accepted.login })
  await recordOwnDeed(tx, { caller, userId: accepted.userId, action: 'user.passwordset', now })
  tx.afterCommit(() => platform.authenticator.forget())
}
