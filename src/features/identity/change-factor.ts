// Turning the second factor on and off. Both ask for the password: a browser that was left alone can do neither.
import { readPerson } from '#features/onboarding/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { findOrganisation } from '#platform/auth/organisation-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Work } from '#platform/http/route.ts'
import { codeNotRight, factorIsOn, factorNotOffered } from './errors.ts'
import {
  confirmApp,
  countRecoveryCodes,
  deleteApp,
  deleteRecoveryCodes,
  findApp,
  offerApp,
} from './factor-statements.ts'
import { recordOwnDeed } from './own-deeds.ts'
import { secretContext, takeCode, writeRecoveryCodes } from './second-factor.ts'
import { newTotpSecret, toBase32, totpAddress } from './totp.ts'

/** Whether the caller has a second factor, and how many recovery codes are left. */
export async function readFactor(tx: Tx, { caller: { tenantId, userId } }: { caller: Caller }) {
  const app = await findApp.maybeOne(tx, { tenantId, userId })
  const { total } = await countRecoveryCodes.one(tx, { tenantId, userId })
  const confirmedAt = app?.confirmedAt ?? null
  return { isOn: confirmedAt !== null, sinceDate: confirmedAt?.toISOString() ?? null, recoveryCodesLeft: total }
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

/** Turns the second factor on, with the first code of the app; answers with the recovery codes, this once. */
export async function confirmFactor(
  { tx, now, platform }: Work,
  { caller, code }: { caller: Caller; code: string },
): Promise<{ recoveryCodes: string[] }> {
  const { tenantId, userId } = caller
  const app = await findApp.maybeOne(tx, { tenantId, userId })
  if (app === undefined || app.confirmedAt !== null) throw factorNotOffered()
  if (!(await takeCode(tx, { tenantId, userId, code, keyring: platform.keyring, now }))) throw codeNotRight()
  await confirmApp.run(tx, { tenantId, userId, now })
  await recordOwnDeed(tx, { caller, userId, action: 'user.factoradded', now })
  return { recoveryCodes: await writeRecoveryCodes(tx, { tenantId, userId }) }
}

/** Turns it off; the password alone is enough from then on. */
export async function removeFactor({ tx, now }: Work, { caller }: { caller: Caller }): Promise<undefined> {
  const { tenantId, userId } = caller
  const removed = await deleteApp.maybeOne(tx, { tenantId, userId })
  await deleteRecoveryCodes.run(tx, { tenantId, userId })
  if (removed?.wasOn) await recordOwnDeed(tx, { caller, userId, action: 'user.factorremoved', now })
}
