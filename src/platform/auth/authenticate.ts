// From the credentials of a call to its caller.
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { consoleSessionNeeded, keyNotAccepted, tokenMissing, tokenNotAccepted, userOutsideKey } from './auth-errors.ts'
import { findCredential, findKey, findTokenUser, isDepartmentBelow } from './auth-statements.ts'
import { callerRole, isPerson, type Caller } from './caller.ts'
import { findSessionCaller } from './console-session.ts'
import { makeKeyUsage } from './key-usage.ts'
import { rememberCallers } from './remembered-callers.ts'
import type { Tokens, VerifiedToken } from './tokens.ts'

const REMEMBER_MS = 2_000
/** A person who signs out somewhere else is out within a second. */
const REMEMBER_SESSION_MS = 1_000
const LONGEST_KEY = 512
const LONGEST_TOKEN = 4_096
const LONGEST_SECRET = 128

export type Authenticator = {
  /** The caller behind a subscription key and, where one was sent, a bearer token. Throws AuthenticationError. */
  authenticate(key: string | undefined, bearer: string | undefined): Promise<Caller>
  /** The person behind the console's cookie. Throws AuthenticationError. */
  authenticateSession(secret: string | undefined): Promise<Caller>
  /** Writes down the use of keys that has not been written yet: now and then, and when the process stops. */
  flushUsage(): Promise<void>
  /** Forgets everything that was remembered: called after a commit that revoked or changed a credential. */
  forget(): void
}

export function makeAuthenticator({
  db,
  tokens,
  clock,
}: {
  db: Database
  tokens: Tokens
  clock: Clock
}): Authenticator {
  const callers = rememberCallers()
  const usage = makeKeyUsage(db)

  return {
    async authenticate(key, bearer) {
      if (key === undefined || key === '' || key.length > LONGEST_KEY) throw keyNotAccepted()
      if (bearer !== undefined && bearer.length > LONGEST_TOKEN) throw tokenNotAccepted()
      const now = clock.now()
      const id = secretHash(`${key}\n${bearer ?? ''}`).toString('base64')
      const caller = await callers.recall(id, now, async () => {
        const byKey = await findKeyCaller(db, key, now)
        const found = bearer === undefined ? byKey : await narrowToUser({ db, tokens }, byKey, bearer, now)
        return { caller: found, forMs: atMost(REMEMBER_MS, found.token?.expiresAt, now) }
      })
      await usage.note(caller, now)
      return caller
    },
    async authenticateSession(secret) {
      if (secret === undefined || secret.length > LONGEST_SECRET) throw consoleSessionNeeded()
      const now = clock.now()
      return callers.recall(secretHash(`console ${secret}`).toString('base64'), now, async () => {
        const { caller, expiresAt } = await findSessionCaller(db, secret, now)
        return { caller, forMs: atMost(REMEMBER_SESSION_MS, expiresAt, now) }
      })
    },
    flushUsage: () => usage.flush(),
    forget: () => callers.forget(),
  }
}

function atMost(ms: number, end: Date | undefined, now: Date): number {
  return end === undefined ? ms : Math.min(ms, end.getTime() - now.getTime())
}

async function findKeyCaller(db: Database, key: string, now: Date): Promise<Caller> {
  const credential = await db.systemTransaction((tx) =>
    findCredential.maybeOne(tx, { kind: 'key', hash: secretHash(key), now }),
  )
  if (!credential) throw keyNotAccepted()
  const { tenantId, refId: keyId } = credential
  const found = await db.transaction(tenantId, (tx) => findKey.maybeOne(tx, { tenantId, keyId }))
  if (!found) throw keyNotAccepted()
  return {
    tenantId,
    role: 'key',
    userId: found.serviceUserId,
    departmentId: found.departmentId,
    isTenantWide: found.isRoot,
    keyId,
    token: undefined,
    isInactive: false,
  }
}

async function narrowToUser(
  { db, tokens }: { db: Database; tokens: Tokens },
  byKey: Caller,
  bearer: string,
  now: Date,
): Promise<Caller> {
  const token = await tokens.verify(bearer, now)
  if (!token || token.tenantId !== byKey.tenantId) throw tokenNotAccepted()
  return db.transaction(token.tenantId, async (tx) => {
    const { tenantId, userId, departmentId } = token
    const user = await findTokenUser.maybeOne(tx, {
      tenantId,
      userId,
      departmentId,
      tokenId: token.tokenId,
      issuedAt: token.issuedAt,
    })
    if (!user) throw tokenNotAccepted()
    const isWithinKey =
      byKey.isTenantWide ||
      (await isDepartmentBelow.maybeOne(tx, { tenantId, departmentId, above: byKey.departmentId })) !== undefined
    if (!isWithinKey) throw userOutsideKey()
    return userCaller(byKey, token, user)
  })
}

function userCaller(
  byKey: Caller,
  token: VerifiedToken,
  user: { role: string; isActive: boolean; isRoot: boolean },
): Caller {
  return {
    tenantId: token.tenantId,
    role: callerRole(user.role),
    userId: token.userId,
    departmentId: token.departmentId,
    isTenantWide: user.isRoot,
    keyId: byKey.keyId,
    token: { id: token.tokenId, expiresAt: token.expiresAt },
    isInactive: !user.isActive,
  }
}

/** The token of an Authorization header; undefined where there is none. Any other scheme is refused. */
export function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const match = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)
  if (!match) throw tokenNotAccepted()
  return match[1]
}

/** Passes where a person calls: by a token, or from the console. */
export function requireToken(caller: Caller): void {
  if (!isPerson(caller)) throw tokenMissing()
}
