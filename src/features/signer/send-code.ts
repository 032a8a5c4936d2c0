import { randomBytes } from 'node:crypto'
import { sendMessage } from '#features/messages/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Guest } from '#platform/http/route.ts'
import { newId } from '#platform/ids.ts'
import { CODE_LIFE_MS, maskAddress, MOST_CODES_AN_HOUR, MOST_TRIES_IN_ALL, SALT_BYTES } from './code.ts'
import { noCodeWanted, tooManyCodes, tooManyTries } from './errors.ts'
import { isCodeOfUse, pageState } from './page-state.ts'
import { getSitting, requireMet, type Sitting } from './sitting.ts'
import { countCodes, holdAttempts, insertCode, type Purpose } from './signer-statements.ts'

const HOUR_MS = 60 * 60 * 1000

export type SendCode = { guest: Guest; purpose: Purpose; now: Date }

/** Has a new code sent to the signatory; the ones before it are of no use any more. */
export async function sendCode(tx: Tx, { guest, purpose, now }: SendCode) {
  const { tenantId, signatoryId, sessionId } = guest
  const sitting = await getSitting(tx, guest, now)
  if (purpose === 'signing') requireMet(sitting, 'reading')
  const { channel, address } = requireChannel(sitting, purpose, now)
  const { tries } = await holdAttempts.one(tx, { tenantId, signatoryId })
  if (tries >= MOST_TRIES_IN_ALL) throw tooManyTries()
  const since = new Date(now.getTime() - HOUR_MS)
  const { amount } = await countCodes.one(tx, { tenantId, signatoryId, since })
  if (amount >= MOST_CODES_AN_HOUR) throw tooManyCodes()

  const id = newId()
  const expiresAt = new Date(now.getTime() + CODE_LIFE_MS)
  const salt = randomBytes(SALT_BYTES)
  await insertCode.run(tx, { tenantId, id, signatoryId, sessionId, purpose, channel, salt, expiresAt, now })
  const { requestId, departmentId, languageCode } = sitting.flow
  const language = sitting.person.languageCode ?? languageCode ?? 'en'
  const message = { tenantId, departmentId, requestId, signatoryId, referenceId: id, language, now }
  await sendMessage(tx, { ...message, kind: 'code', channel })
  return { channel, sentTo: maskAddress(channel, address), expiresAt, codesLeft: MOST_CODES_AN_HOUR - amount - 1 }
}

/** The way that the strength asks for. Somebody who can do nothing with a code gets none. */
function requireChannel({ flow, person, isMet }: Sitting, purpose: Purpose, now: Date) {
  const state = pageState({ flow, person, isReadingMet: isMet.reading, now })
  const strength = purpose === 'reading' ? flow.readingStrength : flow.signingStrength
  const isUseful = isCodeOfUse(state, purpose)
  if (isUseful && strength === 'Email' && person.email !== null)
    return { channel: 'email' as const, address: person.email }
  if (isUseful && strength === 'Sms' && person.mobilePhone !== null)
    return { channel: 'sms' as const, address: person.mobilePhone }
  throw noCodeWanted()
}
