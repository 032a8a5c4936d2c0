import { recordActivity } from '#features/activity/index.ts'
import { endTokensOf, fullName, getPerson } from '#features/onboarding/index.ts'
import type { Authenticator } from '#platform/auth/authenticate.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { deleteSessionsOf } from '#platform/auth/session-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import { factorIsYours } from './errors.ts'
import { deleteApp, deleteRecoveryCodes } from './factor-statements.ts'
import { deletePasskeysOf } from './passkey-statements.ts'

export type ResetFactor = { caller: Caller; userId: string; authenticator: Authenticator; now: Date }

/**
 * Takes away what somebody within reach has lost: the authenticator app, all passkeys, the recovery codes. Whoever is
 * signed in under that name is signed out. One's own go only with the password, on the account page.
 */
export async function resetFactor(tx: Tx, { caller, userId, authenticator, now }: ResetFactor): Promise<undefined> {
  if (userId === caller.userId) throw factorIsYours()
  const { tenantId } = caller
  const person = await getPerson(tx, { caller, userId })
  if (!person.hasSecondFactor) return
  const passkeys = await deletePasskeysOf.run(tx, { tenantId, userId })
  const app = await deleteApp.maybeOne(tx, { tenantId, userId })
  await deleteRecoveryCodes.run(tx, { tenantId, userId })
  await deleteSessionsOf.run(tx, { tenantId, userId })
  await endTokensOf(tx, { tenantId, userId, now })
  tx.afterCommit(() => authenticator.forget())
  await recordActivity(tx, {
    caller,
    action: 'user.factorreset',
    target: { id: userId, name: fullName(person) },
    departmentId: person.departmentId,
    details: { app: app?.wasOn ?? false, passkeys },
    now,
  })
}
