import { insertCredential } from '#platform/auth/auth-statements.ts'
import { consoleCookie, newConsoleSecret, SESSION_MS } from '#platform/auth/console-session.ts'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { deleteSurplusSessions, insertSession } from './session-statements.ts'

const AGENT_LENGTH = 255

export type NewSession = { tenantId: string; userId: string; agent: string | undefined; createdAt: Date }

/** Opens a session of the console, with a secret of its own. Answers with the header that gives the browser its cookie. */
export async function openSession(
  tx: Tx,
  { tenantId, userId, agent, createdAt }: NewSession,
): Promise<{ 'set-cookie': string }> {
  const id = newId()
  const secret = newConsoleSecret()
  const expiresAt = new Date(createdAt.getTime() + SESSION_MS)
  const called = (agent ?? '').slice(0, AGENT_LENGTH)
  await insertSession.run(tx, { tenantId, id, userId, agent: called, createdAt, expiresAt })
  await insertCredential.run(tx, { kind: 'console', hash: secretHash(secret), tenantId, refId: id, expiresAt })
  await deleteSurplusSessions.run(tx, { tenantId, userId })
  return { 'set-cookie': consoleCookie(secret) }
}
