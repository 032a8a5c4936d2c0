// The cookie that stands for an exchanged link, and the proof that a call comes from our own page.
import { randomBytes } from 'node:crypto'
import { findCredential } from '#platform/auth/auth-statements.ts'
import type { Guest, Knock } from '#platform/http/route.ts'
import type { Platform } from '#platform/platform.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { notFromThePage, sessionNeeded } from './errors.ts'
import { findSession } from './signer-statements.ts'

const COOKIE = '__Host-countersign-sign'
const HEADER = 'x-countersign-sign'
const VALUE_BYTES = 32
export const SESSION_MS = 12 * 60 * 60 * 1000

/** A new session's secret: in the cookie as it is, in the database as its hash. */
export function newSessionSecret(): string {
  return randomBytes(VALUE_BYTES).toString('base64url')
}

/**
 * No Domain and Path=/: the prefix __Host- makes browsers insist on it (RFC 6265bis 4.1.3.2). In a frame of another site a
 * Lax cookie is not sent; there it is one for that site's frames alone, and calls are told from forged ones by their
 * Origin and header as everywhere.
 */
export function sessionCookie(secret: string, { isFramed }: { isFramed: boolean }): string {
  const scope = isFramed ? 'SameSite=None; Partitioned' : 'SameSite=Lax'
  return `${COOKIE}=${secret}; Path=/; Max-Age=${SESSION_MS / 1000}; Secure; HttpOnly; ${scope}`
}

/** Which signatory's session the cookie belongs to. Calls that change something must come from our own page. */
export async function admitSignatory(platform: Platform, { method, headers, now }: Knock): Promise<Guest> {
  if (method !== 'GET') requireOwnPage(platform, headers)
  const guest = await findGuest(platform, headers, now)
  if (guest === undefined) throw sessionNeeded()
  return guest
}

/** The session that the browser brings along, if it has one that has not ended. */
export async function findGuest({ db }: Platform, headers: Knock['headers'], now: Date): Promise<Guest | undefined> {
  const secret = readCookie(headers['cookie'])
  if (secret === undefined) return undefined
  const found = await db.systemTransaction((tx) =>
    findCredential.maybeOne(tx, { kind: 'session', hash: secretHash(secret), now }),
  )
  if (found === undefined) return undefined
  const { tenantId, refId: sessionId } = found
  const session = await db.transaction(tenantId, (tx) => findSession.maybeOne(tx, { tenantId, sessionId, now }))
  return session && { tenantId, sessionId, signatoryId: session.signatoryId }
}

/** A foreign page can neither forge the Origin nor add a header of its own without being asked for leave first. */
export function requireOwnPage({ config }: Pick<Platform, 'config'>, headers: Knock['headers']): void {
  const { origin, host } = headers
  const ours = [`http://${host}`, `https://${host}`]
  if (config.publicUrl !== undefined) ours.push(new URL(config.publicUrl).origin)
  if (headers[HEADER] !== '1' || origin === undefined || !ours.includes(origin)) throw notFromThePage()
}

function readCookie(header: string | undefined): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [name, value] = part.trim().split('=')
    if (name === COOKIE && value) return value
  }
  return undefined
}
