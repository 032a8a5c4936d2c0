// The console's cookie: what it looks like, who is behind it, and the proof that a call comes from the console itself.
import { randomBytes } from 'node:crypto'
import type { Database } from '#platform/db/database.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { consoleSessionNeeded, notFromTheConsole } from './auth-errors.ts'
import { findCredential } from './auth-statements.ts'
import { callerRole, type Caller } from './caller.ts'
import { findConsoleSession, noteSessionSeen } from './session-statements.ts'

export const CONSOLE_HEADER = 'x-countersign-console'
/** So long a session lives at most, and so long without a call. */
export const SESSION_MS = 12 * 60 * 60 * 1000
export const IDLE_MS = 30 * 60 * 1000

const COOKIE = '__Host-countersign-console'
const SECRET_BYTES = 32
const NOTE_SEEN_EVERY_MS = 60_000

type Headers = Record<string, string | undefined>

/** A new session's secret: in the cookie as it is, in the database as its hash. */
export function newConsoleSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** No Domain and Path=/: the prefix __Host- makes browsers insist on it (RFC 6265bis 4.1.3.2). */
export function consoleCookie(secret: string): string {
  return `${COOKIE}=${secret}; Path=/; Max-Age=${SESSION_MS / 1000}; Secure; HttpOnly; SameSite=Strict`
}

/** Takes the cookie away from the browser. */
export const ENDED_CONSOLE_COOKIE = `${COOKIE}=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict`

export function readConsoleCookie(header: string | undefined): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [name, value] = part.trim().split('=')
    if (name === COOKIE && value) return value
  }
  return undefined
}

/** A cookie counts only where the caller asks for it by the console's header; a key that is sent counts instead of it. */
export function isConsoleCall(headers: Headers): boolean {
  return headers['ocp-apim-subscription-key'] === undefined && headers[CONSOLE_HEADER] !== undefined
}

/**
 * A foreign page can neither forge the Origin nor add a header of its own without being asked for leave first. Browsers
 * leave the Origin out where a page reads from its own service, so there only a wrong one is refused.
 */
export function requireConsole(
  { publicUrl }: { publicUrl: string | undefined },
  { method, headers }: { method: string; headers: Headers },
): void {
  const { origin, host } = headers
  const ours = [`http://${host}`, `https://${host}`]
  if (publicUrl !== undefined) ours.push(new URL(publicUrl).origin)
  const isOurs = origin === undefined ? method === 'GET' : ours.includes(origin)
  const site = headers['sec-fetch-site'] ?? 'same-origin'
  if (headers[CONSOLE_HEADER] !== '1' || !isOurs || site !== 'same-origin') throw notFromTheConsole()
}

/** The person whose session the cookie belongs to. Throws where it has ended. */
export async function findSessionCaller(
  db: Database,
  secret: string,
  now: Date,
): Promise<{ caller: Caller; expiresAt: Date }> {
  const credential = await db.systemTransaction((tx) =>
    findCredential.maybeOne(tx, { kind: 'console', hash: secretHash(secret), now }),
  )
  if (credential === undefined) throw consoleSessionNeeded()
  const { tenantId, refId: sessionId } = credential
  return db.transaction(tenantId, async (tx) => {
    const idleSince = new Date(now.getTime() - IDLE_MS)
    const session = await findConsoleSession.maybeOne(tx, { tenantId, sessionId, idleSince, now })
    if (session === undefined) throw consoleSessionNeeded()
    if (now.getTime() - session.lastSeenAt.getTime() >= NOTE_SEEN_EVERY_MS)
      await noteSessionSeen.run(tx, { tenantId, sessionId, now })
    const { userId, departmentId, isRoot: isTenantWide, expiresAt } = session
    const role = callerRole(session.role)
    const nothingElse = { keyId: undefined, token: undefined, isInactive: false }
    return { caller: { tenantId, role, userId, departmentId, isTenantWide, sessionId, ...nothingElse }, expiresAt }
  })
}
