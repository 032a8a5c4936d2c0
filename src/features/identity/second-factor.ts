// The second factor: an authenticator app, passkeys, and recovery codes for whoever has lost them.
import { randomBytes } from 'node:crypto'
import type { Tx } from '#platform/db/database.ts'
import { secretHash, type Keyring } from '#platform/secrets/keyring.ts'
import {
  countRecoveryCodes,
  deleteRecoveryCodes,
  findApp,
  insertRecoveryCodes,
  takeRecoveryCode,
  takeStep,
} from './factor-statements.ts'
import { hasPasskey } from './passkey-statements.ts'
import { findStep, toBase32 } from './totp.ts'

export type Whose = { tenantId: string; userId: string }

const RECOVERY_CODES = 10
/** 80 bits: nobody guesses one, so a plain hash keeps it. */
const RECOVERY_BYTES = 10
const SIX_DIGITS = /^\d{6}$/

/** What the encrypted secret belongs to; it can be read in no other place. */
export function secretContext({ tenantId, userId }: Whose): string {
  return `authenticator app ${tenantId} ${userId}`
}

/** Whether this person has to show a second factor. */
export async function hasFactor(tx: Tx, whose: Whose): Promise<boolean> {
  return (await hasApp(tx, whose)) || (await hasPasskey.one(tx, whose)).isThere
}

/** Whether an authenticator app has been confirmed. */
export async function hasApp(tx: Tx, whose: Whose): Promise<boolean> {
  return ((await findApp.maybeOne(tx, whose))?.confirmedAt ?? null) !== null
}

/** Whether a code of the app, or a recovery code, is right; it is then used up. */
export async function takeCode(
  tx: Tx,
  { tenantId, userId, code, keyring, now }: Whose & { code: string; keyring: Keyring; now: Date },
): Promise<boolean> {
  const whose = { tenantId, userId }
  const plain = code.replaceAll(/[\s-]/g, '').toUpperCase()
  if (!SIX_DIGITS.test(plain)) return (await takeRecoveryCode.run(tx, { ...whose, hash: secretHash(plain) })) > 0
  const app = await findApp.maybeOne(tx, whose)
  if (app === undefined) return false
  const secret = keyring.open(app.secret, secretContext(whose))
  const step = findStep(secret, plain, { now, after: app.lastStep })
  return step !== undefined && (await takeStep.run(tx, { ...whose, step })) > 0
}

/** The recovery codes that come with the first factor, to be shown this once; null where the person has some already. */
export async function addRecoveryCodes(tx: Tx, whose: Whose): Promise<string[] | null> {
  if ((await countRecoveryCodes.one(tx, whose)).total > 0) return null
  return writeRecoveryCodes(tx, whose)
}

/** Without any factor, recovery codes would be left that nobody asks for. */
export async function dropRecoveryCodes(tx: Tx, whose: Whose): Promise<void> {
  if (!(await hasFactor(tx, whose))) await deleteRecoveryCodes.run(tx, whose)
}

/** Writes fresh recovery codes in place of the old ones. */
async function writeRecoveryCodes(tx: Tx, whose: Whose): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => toBase32(randomBytes(RECOVERY_BYTES)))
  await deleteRecoveryCodes.run(tx, whose)
  await insertRecoveryCodes.run(tx, { ...whose, hashes: codes.map(secretHash) })
  return codes.map((code) => code.match(/.{4}/g)!.join('-'))
}
