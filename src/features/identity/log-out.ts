import { endTokensOf } from '#features/onboarding/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { ENDED_CONSOLE_COOKIE } from '#platform/auth/console-session.ts'
import { Answer, type Work } from '#platform/http/route.ts'
import { endSession } from './end-session.ts'
import { insertRevokedToken } from './identity-statements.ts'
import { recordOwnDeed } from './own-deeds.ts'

/** Ends the token or the session of this call before its time, and with `isEverywhere` every other one of the user. */
export async function logOut(
  { tx, now, platform }: Work,
  { caller, isEverywhere }: { caller: Caller; isEverywhere: boolean },
): Promise<Answer> {
  const { tenantId, userId, token, sessionId } = caller
  if (token !== undefined) await insertRevokedToken.run(tx, { tenantId, tokenId: token.id, expiresAt: token.expiresAt })
  if (sessionId !== undefined) await endSession(tx, { tenantId, userId, sessionId })
  if (isEverywhere) await endTokensOf(tx, { tenantId, userId, now })
  await recordOwnDeed(tx, { caller, userId, action: 'user.signedout', now })
  tx.afterCommit(() => platform.authenticator.forget())
  return new Answer(204, undefined, sessionId === undefined ? {} : { 'set-cookie': ENDED_CONSOLE_COOKIE })
}
