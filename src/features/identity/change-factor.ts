// Adding and removing an authenticator app. Both ask for the password: a browser that was left alone can do neither.
import { readPerson } from '#features/onboarding/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { findOrganisation } from '#platform/auth/organisation-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Work } from '#platform/http/route.ts'
import { codeNotRight, factorIsOn, factorNotOffered } from './errors.ts'
import { confirmApp, countRecoveryCodes, deleteApp, findApp, offerApp } from './factor-statements.ts'
import { recordOwnDeed } from './own-deeds.ts'
import { listPasskeys } from './passkey-statements.ts'
import { addRecoveryCodes, dropRecoveryCodes, secretContext, takeCode } from './second-factor.ts'
import { newTotpSecret, toBase32, totpAddress } from './totp.ts'

/** What is asked of the caller beside the password, and how many recovery codes are left. */
export async function readFactor(tx: Tx, { caller: { tenantId, userId } }: { caller: Caller }) {
  const whose = { tenantId, userId }
  const appSince = (await findApp.maybeOne(tx, whose))?.confirmedAt ?? null
  const passkeys = await listPasskeys.many(tx, whose)
  const { total } = await countRecoveryCodes.one(tx, whose)
  return {
    isOn: appSince !== null || passkeys.length > 0,
    appSinceDate: appSince?.toISOString() ?? null,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      creationDate: createdAt.toISOString(),
      lastUsedDate: lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft: total,
  }
}

/** A new secret for the caller's app. It counts once a code of it has been entered. */
export async function offerFactor({ tx, now, platform }: Work, { caller }: { caller: Caller }) {
  const { tenantId, userId, departmentId } = caller
  const secret = newTotpSecret()
  const sealed = platform.keyring.seal(secret, secretContext({ tenantId, userId }))
  if ((await offerApp.run(tx, { tenantId, userId, secret: sealed, now })) === 0) throw factorIsOn()
  const [person, { organisation }] = [
    await readPerson(tx, { tenantId, userId }),
    await findOrganisation.one(tx, { tenantId, departmentId }),
  ]
  const address = totpAddress(secret, { account: person?.email ?? userId, issuer: `Countersign ${organisation}` })
  return { secret: toBase32(secret), uri: address }
}

/** Turns the app on, with its first code; answers with the recovery codes, this once. */
export async function confirmFactor(
  { tx, now, platform }: Work,
  { caller, code }: { caller: Caller; code: string },
): Promise<{ recoveryCodes: string[] | null }> {
  const { tenantId, userId } = caller
  const app = await findApp.maybeOne(tx, { tenantId, userId })
  if (app === undefined || app.confirmedAt !== null) throw factorNotOffered()
  if (!(await takeCode(tx, { tenantId, userId, code, keyring: platform.keyring, now }))) throw codeNotRight()
  await confirmApp.run(tx, { tenantId, userId, now })
  await recordOwnDeed(tx, { caller, userId, action: 'user.factoradded', now })
  return { recoveryCodes: await addRecoveryCodes(tx, { tenantId, userId }) }
}

/** Removes the app; without a passkey the password alone is enough from then on. */
export async function removeApp({ tx, now }: Work, { caller }: { caller: Caller }): Promise<undefined> {
  const { tenantId, userId } = caller
  const removed = await deleteApp.maybeOne(tx, { tenantId, userId })
  await dropRecoveryCodes(tx, { tenantId, userId })
  if (removed?.wasOn) await recordOwnDeed(tx, { caller, userId, action: 'user.factorremoved', now })
}
