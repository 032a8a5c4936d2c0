import type { Caller } from '#platform/auth/caller.ts'
import { deleteCredentialsOf } from '#platform/auth/auth-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Work } from '#platform/http/route.ts'
import { entityNotFound } from '#platform/errors.ts'
import { deleteSession } from './session-statements.ts'

export type OneSession = { tenantId: string; userId: string; sessionId: string }

/** Ends one session of the console; false where the user has no such session. */
export async function endSession(tx: Tx, { tenantId, userId, sessionId }: OneSession): Promise<boolean> {
  const deleted = await deleteSession.run(tx, { tenantId, userId, sessionId })
  if (deleted > 0) await deleteCredentialsOf.run(tx, { kind: 'console', tenantId, refId: sessionId })
  return deleted > 0
}

/** Signs one of the caller's own browsers out. */
export async function endOwnSession(
  { tx, platform }: Work,
  { caller, sessionId }: { caller: Caller; sessionId: string },
): Promise<undefined> {
  const { tenantId, userId } = caller
  if (!(await endSession(tx, { tenantId, userId, sessionId }))) throw entityNotFound('session', sessionId)
  tx.afterCommit(() => platform.authenticator.forget())
}
