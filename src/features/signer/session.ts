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

/** No Domain and Path=/: the prefix __Host- makes browsers insist on it (RFC 6265bis 4.1.3.2). */
export function sessionCookie(secret: string): string {
  return `${COOKIE}=${secret}; Path=/; Max-Age=${SESSION_MS / 1000}; Secure; HttpOnly; SameSite=Lax`
}

/** Which signatory's session the cookie belongs to. Calls that change something must come from our own page. */
export async function admitSignatory(platform: Platform, { method, headers, now }: Knock): Promise<Guest> {
  if (method !== 'GET') requireOwnPage(platform, headers)
  const secret = readCookie(headers['cookie'])
  if (secret === undefined) throw sessionNeeded()
  const found = await platform.db.systemTransaction((tx) =>
    findCredential.maybeOne(tx, { kind: 'session', hash: secretHash(secret), now }),
  )
  if (found === undefined) throw sessionNeeded()
  const { tenantId, refId: sessionId } = found
  const session = await platform.db.transaction(tenantId, (tx) =>
    findSession.maybeOne(tx, { tenantId, sessionId, now }),
  )
  if (session === undefined) throw sessionNeeded()
  return { tenantId, sessionId, signatoryId: session.signatoryId }
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
