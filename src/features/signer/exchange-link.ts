// A personal link becomes a session. Only a POST does this: mail scanners that follow links change nothing.
import { findPlaceOf, readReturnUrl, whoseLink } from '#features/signing/index.ts'
import { insertCredential } from '#platform/auth/auth-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import { errorBody } from '#platform/http/edge-errors.ts'
import { Answer, type Guest } from '#platform/http/route.ts'
import { newId } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { linkNotFound, tooManySessions } from './errors.ts'
import { endOf, type End } from './page-state.ts'
import { findGuest, newSessionSecret, requireOwnPage, sessionCookie, SESSION_MS } from './session.ts'
import { countSessions, insertSession, setReturnUrl } from './signer-statements.ts'

const HOUR_MS = 60 * 60 * 1000
const MOST_SESSIONS_AN_HOUR = 60

export type Exchange = {
  token: string
  returnUrl: string | undefined
  /** The page stands in a frame of another site. */
  isFramed: boolean
  headers: Record<string, string | undefined>
  now: Date
}

/** Answers with the cookie of a new session; a dead link is told what became of its request. */
export async function exchangeLink(platform: Platform, exchange: Exchange): Promise<Answer> {
  const { token, returnUrl, isFramed, headers, now } = exchange
  requireOwnPage(platform, headers)
  const owner = await platform.db.systemTransaction((tx) => whoseLink(tx, { token, now }))
  if (owner === undefined) return refuse('wronglink')
  const { tenantId, signatoryId, isAlive } = owner
  const guest = await findGuest(platform, headers, now)
  return platform.db.transaction(tenantId, async (tx) => {
    const place = await findPlaceOf(tx, { tenantId, signatoryId })
    if (place === undefined) return refuse('wronglink')
    const end = endOf(place.flow, place.person, now)
    if (end !== undefined) return refuse(end)
    // Whoever has signed has had the documents; after the closing nobody gets in by a link any more.
    if (!isAlive) return refuse('closed')
    const { requestId } = place.flow
    const checked = returnUrl === undefined ? null : await readReturnUrl(tx, { tenantId, returnUrl })
    if (guest?.signatoryId === signatoryId) return goOn(tx, { guest, returnUrl: checked })
    return open(tx, { tenantId, signatoryId, requestId, returnUrl: checked, isFramed, now })
  })
}

/** Whoever opens the link again in the same browser has proved already who they are. */
async function goOn(tx: Tx, { guest, returnUrl }: { guest: Guest; returnUrl: string | null }): Promise<Answer> {
  const { tenantId, sessionId } = guest
  if (returnUrl !== null) await setReturnUrl.run(tx, { tenantId, sessionId, returnUrl })
  return new Answer(204)
}

type Opening = {
  tenantId: string
  signatoryId: string
  requestId: string
  returnUrl: string | null
  isFramed: boolean
  now: Date
}

async function open(tx: Tx, opening: Opening): Promise<Answer> {
  const { tenantId, signatoryId, requestId, returnUrl, isFramed, now } = opening
  const since = new Date(now.getTime() - HOUR_MS)
  const { amount } = await countSessions.one(tx, { tenantId, signatoryId, since })
  if (amount >= MOST_SESSIONS_AN_HOUR) throw tooManySessions()
  const id = newId()
  const secret = newSessionSecret()
  const expiresAt = new Date(now.getTime() + SESSION_MS)
  await insertSession.run(tx, { tenantId, id, signatoryId, requestId, returnUrl, expiresAt, now })
  await insertCredential.run(tx, { kind: 'session', hash: secretHash(secret), tenantId, refId: id, expiresAt })
  return new Answer(204, undefined, { 'set-cookie': sessionCookie(secret, { isFramed }) })
}

function refuse(state: End | 'wronglink'): Answer {
  return new Answer(400, { ...errorBody(linkNotFound()), state })
}
