// Adding and removing passkeys. Both begin with the password: a browser that was left alone can do neither.
import { fullName, readPerson } from '#features/onboarding/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { entityNotFound } from '#platform/errors.ts'
import type { Outside, Work } from '#platform/http/route.ts'
import { newId } from '#platform/ids.ts'
import { passkeyIsKnown, passkeyNotRight, passkeysNeedAName } from './errors.ts'
import { recordOwnDeed } from './own-deeds.ts'
import { useChallenge, writeChallenge } from './passkey-challenge.ts'
import { creationOptions } from './passkey-options.ts'
import type { NewPasskeyBodyFields, NewPasskeyFields } from './passkey-schemas.ts'
import { findSite, type Site } from './passkey-site.ts'
import { deletePasskey, insertPasskey, listPasskeys } from './passkey-statements.ts'
import { addRecoveryCodes, dropRecoveryCodes } from './second-factor.ts'
import { readChallenge, verifyNewPasskey, type NewPasskey } from './verify-passkey.ts'

const MOST_PASSKEYS = 10

type Headers = Record<string, string | undefined>

/** What the caller's browser needs to have a device make a passkey. */
export async function offerPasskey(
  { tx, now, platform }: Work,
  { caller, headers }: { caller: Caller; headers: Headers },
) {
  const { tenantId, userId } = caller
  const site = requireSite(platform, headers)
  const person = await readPerson(tx, { tenantId, userId })
  const known = await listPasskeys.many(tx, { tenantId, userId })
  if (known.length >= MOST_PASSKEYS) throw passkeyIsKnown(MOST_PASSKEYS)
  const challenge = await writeChallenge(tx, { tenantId, userId, sessionId: sessionOf(caller), now })
  const owner = { userId, email: person?.email ?? null, name: person ? fullName(person) : null }
  return creationOptions(site, { owner, challenge, known })
}

type Answered = { caller: Caller; credential: NewPasskeyFields; headers: Headers }

/** The passkey that a device made for this very session, checked outside of any transaction. */
export async function requireNewPasskey(
  outside: Outside,
  { caller, credential, headers }: Answered,
): Promise<NewPasskey> {
  const { tenantId, userId } = caller
  const site = requireSite(outside.platform, headers)
  const challenge = readChallenge(credential.response.clientDataJSON)
  if (challenge === undefined) throw passkeyNotRight()
  if (!(await useChallenge(outside, { tenantId, userId, sessionId: sessionOf(caller), challenge })))
    throw passkeyNotRight()
  const passkey = await verifyNewPasskey({ site, challenge }, credential)
  if (passkey === undefined) throw passkeyNotRight()
  return passkey
}

/** Writes the passkey down; it is asked for from now on. The first factor comes with recovery codes, shown this once. */
export async function addPasskey(
  { tx, now }: Work,
  { caller, fields, passkey }: { caller: Caller; fields: NewPasskeyBodyFields; passkey: NewPasskey },
): Promise<{ recoveryCodes: string[] | null }> {
  const { tenantId, userId } = caller
  const { name, credential } = fields
  const transports = credential.response.transports ?? []
  const row = { tenantId, userId, id: newId(), name, transports, ...passkey, most: MOST_PASSKEYS, now }
  if ((await insertPasskey.maybeOne(tx, row)) === undefined) throw passkeyIsKnown(MOST_PASSKEYS)
  await recordOwnDeed(tx, { caller, userId, action: 'user.passkeyadded', details: { passkey: name }, now })
  return { recoveryCodes: await addRecoveryCodes(tx, { tenantId, userId }) }
}

/** Removes one of the caller's passkeys. */
export async function removePasskey(
  { tx, now }: Work,
  { caller, passkeyId }: { caller: Caller; passkeyId: string },
): Promise<undefined> {
  const { tenantId, userId } = caller
  const removed = await deletePasskey.maybeOne(tx, { tenantId, userId, id: passkeyId })
  if (removed === undefined) throw entityNotFound('passkey', passkeyId)
  await dropRecoveryCodes(tx, { tenantId, userId })
  await recordOwnDeed(tx, { caller, userId, action: 'user.passkeyremoved', details: { passkey: removed.name }, now })
}

function requireSite({ config }: Outside['platform'], headers: Headers): Site {
  const site = findSite(config, headers)
  if (site === undefined) throw passkeysNeedAName()
  return site
}

/** The session, or the token, in which a passkey is asked for and must be answered. */
function sessionOf({ sessionId, token }: Caller): string | null {
  return sessionId ?? token?.id ?? null
}
