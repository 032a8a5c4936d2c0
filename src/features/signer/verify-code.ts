// Compares a code. A wrong one must be counted whatever the answer, so refusals are answers here and roll nothing back.
import { recordAuthentication } from '#features/signing/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { AppError } from '#platform/errors.ts'
import { errorBody } from '#platform/http/edge-errors.ts'
import { Answer, type Guest } from '#platform/http/route.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { isCode, MOST_TRIES, MOST_TRIES_IN_ALL } from './code.ts'
import { codeNotUsable, tooManyTries, wrongCode } from './errors.ts'
import { getSitting } from './sitting.ts'
import { countTry, holdAttempts, meetPurpose, tryCode, useCode, type Purpose } from './signer-statements.ts'

export type VerifyCode = { guest: Guest; purpose: Purpose; code: string; keyring: Keyring; now: Date }

/** Nothing where the code is right: the session has met the strength. Otherwise how many tries are left. */
export async function verifyCode(tx: Tx, { guest, purpose, code, keyring, now }: VerifyCode): Promise<Answer> {
  const { tenantId, signatoryId, sessionId } = guest
  const { flow } = await getSitting(tx, guest, now)
  await holdAttempts.one(tx, { tenantId, signatoryId })
  const tried = await tryCode.maybeOne(tx, { tenantId, signatoryId, sessionId, purpose, most: MOST_TRIES, now })
  if (tried === undefined) return refuse(codeNotUsable(), 0)
  const all = await countTry.maybeOne(tx, { tenantId, signatoryId, most: MOST_TRIES_IN_ALL })
  if (all === undefined) return refuse(tooManyTries(), 0)
  const { id, salt, channel } = tried
  const step = { tenantId, flow, signatoryId, now }
  if (!isCode(keyring, { codeId: id, signatoryId, sessionId, purpose, salt }, code)) {
    const triesLeft = Math.min(MOST_TRIES - tried.tries, MOST_TRIES_IN_ALL - all.tries)
    await recordAuthentication(tx, { ...step, type: 'signatoryauthenticationfailed', data: { purpose, channel } })
    return refuse(wrongCode(triesLeft), triesLeft)
  }
  await useCode.run(tx, { tenantId, id, now })
  await meetPurpose.run(tx, { tenantId, sessionId, purpose, identity: null, now })
  await recordAuthentication(tx, {
    ...step,
    type: 'signatoryauthenticated',
    data: { purpose, channel, method: 'code', codeId: id },
  })
  return new Answer(204)
}

function refuse(error: AppError, triesLeft: number): Answer {
  return new Answer(400, { ...errorBody(error), triesLeft })
}
