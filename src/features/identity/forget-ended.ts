import type { Tx } from '#platform/db/database.ts'
import { deleteEndedTokens, deleteOldAttempts } from './identity-statements.ts'
import { deleteEndedChallenges } from './passkey-statements.ts'
import { deleteEndedSessions } from './session-statements.ts'

/** Tokens are accepted a little past their end, for clocks that differ; their revocation must last as long. */
const CLOCKS_DIFFER_MS = 60_000

/** Deletes what has no effect any more: failures whose window has passed, revocations of tokens and sessions that have ended. */
export async function forgetEnded(tx: Tx, { tenantId, now }: { tenantId: string; now: Date }): Promise<void> {
  const before = new Date(now.getTime() - CLOCKS_DIFFER_MS)
  await deleteOldAttempts.run(tx, { tenantId, before })
  await deleteEndedTokens.run(tx, { tenantId, before })
  await deleteEndedSessions.run(tx, { tenantId, before })
  await deleteEndedChallenges.run(tx, { tenantId, before })
}
