import { findLoginUser, type LoginUser } from '#features/onboarding/index.ts'
import { isPassword } from '#platform/auth/passwords.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Outside, Work } from '#platform/http/route.ts'
import { beginAttempt, forgetFailures, inLine } from './login-attempts.ts'
import { recordFailureLater, recordOwnDeed, type OwnDeed } from './own-deeds.ts'
import { takePasskey } from './check-passkey.ts'
import type { PasskeyAnswerFields } from './passkey-schemas.ts'
import type { LoginFields } from './schemas.ts'
import { hasFactor, takeCode, type Whose } from './second-factor.ts'

type LogIn = { caller: OwnDeed['caller']; fields: LoginFields }
/** Browsers can answer with a passkey, which counts at the address that their headers name. */
type Check = LogIn & { passkey?: PasskeyAnswerFields | undefined; headers?: Record<string, string | undefined> }

/** How far somebody got: with the password alone, with a wrong second factor, or all the way. */
export type CheckedLogin = { user: LoginUser; factor: 'missing' | 'wrong' | 'right' }

/**
 * Finds out whether login and password belong together, and the second factor where the user has one, outside
 * of any transaction because it is slow on purpose. Whatever does not match takes as long as what does, and answers
 * undefined.
 */
export async function checkLogin(outside: Outside, check: Check): Promise<CheckedLogin | undefined> {
  const { platform, now } = outside
  const { caller, fields } = check
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
    const factor = await checkFactor(outside, { ...check, user })
    if (factor === 'wrong') recordFailureLater(platform, { caller, userId: user.userId, now })
    return { user, factor }
  })
}

/** Failures are forgotten only by whoever got all the way: the password alone does not buy more guesses at the code. */
async function checkFactor(outside: Outside, check: Check & { user: LoginUser }): Promise<CheckedLogin['factor']> {
  const { tenantId } = check.caller
  const whose = { tenantId, userId: check.user.userId }
  const { db } = outside.platform
  if (await db.transaction(tenantId, (tx) => hasFactor(tx, whose))) {
    const isRight = await takeFactor(outside, { ...check, whose })
    if (!isRight) return isRight === undefined ? 'missing' : 'wrong'
  }
  await db.transaction(tenantId, (tx) => forgetFailures(tx, { tenantId, login: check.fields.login }))
  return 'right'
}

/** Whether the passkey or the code that was shown is right, and used up by that; undefined where nothing was shown. */
async function takeFactor(
  outside: Outside,
  { fields: { code }, passkey, headers = {}, whose }: Check & { whose: Whose },
): Promise<boolean | undefined> {
  const { platform, now } = outside
  if (passkey !== undefined) return takePasskey(outside, { ...whose, passkey, headers })
  if (code === undefined) return undefined
  const { keyring } = platform
  return platform.db.transaction(whose.tenantId, (tx) => takeCode(tx, { ...whose, code, keyring, now }))
}

/** A token for the user who was checked, unless the user changed in between; undefined answers every mismatch alike. */
export async function logIn(
  { tx, now, platform }: Work,
  { caller, fields, checked }: LogIn & { checked: CheckedLogin | undefined },
): Promise<{ token: string } | undefined> {
  const user = await find(tx, { caller, fields })
  if (user === undefined || checked?.factor !== 'right') return undefined
  if (user.passwordHash !== checked.user.passwordHash || user.actsFor === null) return undefined
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
