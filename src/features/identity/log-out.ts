import { endTokensOf } from '#features/onboarding/index.ts'
import { tokenMissing } from '#platform/auth/auth-errors.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Work } from '#platform/http/route.ts'
import { insertRevokedToken } from './identity-statements.ts'
import { recordOwnDeed } from './own-deeds.ts'

/** Ends the token of this call before its time, and with `isEverywhere` every other one of the user. */
export async function logOut(
  { tx, now, platform }: Work,
  { caller, isEverywhere }: { caller: Caller; isEverywhere: boolean },
): Promise<undefined> {
  const { tenantId, userId, token } = caller
  if (token === undefined) throw tokenMissing()
  await insertRevokedToken.run(tx, { tenantId, tokenId: token.id, expiresAt: token.expiresAt })
  if (isEverywhere) await endTokensOf(tx, { tenantId, userId, now })
  await recordOwnDeed(tx, { caller, userId, action: 'user.signedout', now })
  tx.afterCommit(() => platform.authenticator.forget())
}
