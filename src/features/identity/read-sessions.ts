import type { Caller } from '#platform/auth/caller.ts'
import { IDLE_MS } from '#platform/auth/console-session.ts'
import type { Tx } from '#platform/db/database.ts'
import { listSessions } from './session-statements.ts'

/** The browsers in which the caller is signed in to the console, newest first. */
export async function readSessions(tx: Tx, { caller, now }: { caller: Caller; now: Date }) {
  const { tenantId, userId } = caller
  const idleSince = new Date(now.getTime() - IDLE_MS)
  const sessions = await listSessions.many(tx, { tenantId, userId, idleSince, now })
  const items = sessions.map(({ id, agent, createdAt, lastSeenAt, expiresAt }) => ({
    id,
    agent,
    isThisOne: id === caller.sessionId,
    creationDate: createdAt.toISOString(),
    lastSeenDate: lastSeenAt.toISOString(),
    expirationDate: expiresAt.toISOString(),
  }))
  return { total: items.length, items }
}
