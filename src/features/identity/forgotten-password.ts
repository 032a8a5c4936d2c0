// For people at the door: a forgotten password, and the link that an invitation or a reset came with.
import { emailKeyOf, sendReset } from '#features/onboarding/index.ts'
import { findCredential } from '#platform/auth/auth-statements.ts'
import { requireConsole } from '#platform/auth/console-session.ts'
import type { Outside } from '#platform/http/route.ts'
import { describeError } from '#platform/log/log.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { invitationNotAccepted } from './errors.ts'
import { listLoginPlaces } from './session-statements.ts'
import { hashNewPassword, setPassword } from './set-password.ts'

type Headers = Record<string, string | undefined>

/** Sends a link to whoever has this login. That happens after the answer, which is the same and as fast for everybody. */
export async function forgetPassword(
  outside: Outside,
  { login, headers }: { login: string; headers: Headers },
): Promise<void> {
  const { platform } = outside
  requireConsole(platform.config, { method: 'POST', headers })
  sendResets(outside, login).catch((error: unknown) =>
    platform.log.warn({ error: describeError(error) }, 'a reset could not be sent'),
  )
}

async function sendResets({ platform, now }: Outside, login: string): Promise<void> {
  const { db, keyring } = platform
  const emailHash = secretHash(emailKeyOf(login))
  const places = await db.systemTransaction((tx) => listLoginPlaces.many(tx, { emailHash }))
  for (const { tenantId } of places)
    await db.transaction(tenantId, (tx) => sendReset(tx, { tenantId, login, keyring, now }))
}

type ByLink = { fields: { token: string; password: string }; headers: Headers; requestId: string }

/** Sets a password by the token of a link, which also tells the tenant. */
export async function setPasswordByLink(outside: Outside, { fields, headers, requestId }: ByLink): Promise<void> {
  const { platform, now } = outside
  requireConsole(platform.config, { method: 'POST', headers })
  const caller = { tenantId: await findTenantOf(outside, fields.token), keyId: undefined, requestId }
  const passwordHash = await hashNewPassword(outside, { caller, fields })
  await platform.db.transaction(caller.tenantId, (tx) =>
    setPassword({ tx, now, platform }, { caller, fields, passwordHash }),
  )
}

async function findTenantOf({ platform, now }: Outside, token: string): Promise<string> {
  const hash = secretHash(token)
  return platform.db.systemTransaction(async (tx) => {
    const found =
      (await findCredential.maybeOne(tx, { kind: 'invitation', hash, now })) ??
      (await findCredential.maybeOne(tx, { kind: 'reset', hash, now }))
    if (found === undefined) throw invitationNotAccepted()
    return found.tenantId
  })
}
