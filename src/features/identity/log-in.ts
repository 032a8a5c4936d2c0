import { findLoginUser, type LoginUser } from '#features/onboarding/index.ts'
import { isPassword } from '#platform/auth/passwords.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Outside, Work } from '#platform/http/route.ts'
import { beginAttempt, forgetFailures, inLine } from './login-attempts.ts'
import { recordFailureLater, recordOwnDeed, type OwnDeed } from './own-deeds.ts'
import type { LoginFields } from './schemas.ts'

type LogIn = { caller: OwnDeed['caller']; fields: LoginFields }

/**
 * Finds out whether login and password belong together, outside of any transaction because it is slow on purpose.
 * Whatever does not match takes as long as what does, and answers undefined.
 */
export async function checkLogin(
  { platform, now }: Outside,
  { caller, fields }: LogIn,
): Promise<LoginUser | undefined> {
  const { tenantId } = caller
  const { login, password } = fields
  return inLine({ tenantId, login }, async () => {
    const user = await platform.db.transaction(tenantId, async (tx) => {
      await beginAttempt(tx, { tenantId, login, now })
      return find(tx, { caller, fields })
    })
    const isRight = await isPassword(password, user?.passwordHash ?? null)
    if (user !== undefined && !isRight) recordFailureLater(platform, { caller, userId: user.userId, now })
    if (user === undefined || !isRight || !mayActThere(user, { caller, fields })) return undefined
    await platform.db.transaction(tenantId, (tx) => forgetFailures(tx, { tenantId, login }))
    return user
  })
}

/** A token for the user who was checked, unless the user changed in between; undefined answers every mismatch alike. */
export async function logIn(
  { tx, now, platform }: Work,
  { caller, fields, checked }: LogIn & { checked: LoginUser | undefined },
): Promise<{ token: string } | undefined> {
  const user = await find(tx, { caller, fields })
  if (user === undefined || checked === undefined) return undefined
  if (user.passwordHash !== checked.passwordHash || user.actsFor === null) return undefined
  const { userId, role, actsFor: departmentId } = user
  const claims = { userId, tenantId: caller.tenantId, departmentId, role }
  await recordOwnDeed(tx, { caller, userId, action: 'user.signedin', now })
  return { token: await platform.tokens.issue(claims, now) }
}

function find(tx: Tx, { caller, fields }: LogIn) {
  const { login, departmentId } = fields
  return findLoginUser(tx, { tenantId: caller.tenantId, login, departmentId })
}

function mayActThere({ actsFor }: LoginUser, { caller, fields }: LogIn): boolean {
  return actsFor !== null && (fields.tenantId === undefined || fields.tenantId === caller.tenantId)
}
