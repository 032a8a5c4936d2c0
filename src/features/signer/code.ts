// One-time codes. A code is six digits made from a random salt and the secret key: it can be told again when its message
// is sent once more, and nothing in the database reveals it.
import { isSameSecret, type Keyring } from '#platform/secrets/keyring.ts'
import type { Purpose } from './signer-statements.ts'

export const SALT_BYTES = 32
export const CODE_LIFE_MS = 10 * 60 * 1000
export const MOST_TRIES = 5
export const MOST_TRIES_IN_ALL = 15
export const MOST_CODES_AN_HOUR = 5

const DIGITS = 6
const CODES = 10 ** DIGITS

export type CodeOwner = { codeId: string; signatoryId: string; sessionId: string; purpose: Purpose; salt: Buffer }

/** The code; bound to the person, the session and the purpose that it was asked for. */
export function makeCode(keyring: Keyring, { codeId, signatoryId, sessionId, purpose, salt }: CodeOwner): string {
  const name = `${codeId}|${signatoryId}|${sessionId}|${purpose}|${salt.toString('hex')}`
  // 64 bits for twenty: what the remainder favours is one part in 2^44.
  const number = keyring.mac('signer code', name).readBigUInt64BE() % BigInt(CODES)
  return number.toString().padStart(DIGITS, '0')
}

/** Whether this is the code, in the same time whichever it is. */
export function isCode(keyring: Keyring, owner: CodeOwner, given: string): boolean {
  return isSameSecret(Buffer.from(makeCode(keyring, owner)), Buffer.from(given))
}

/** An address as the page may show it to somebody who is not known yet. */
export function maskAddress(channel: 'email' | 'sms', address: string): string {
  if (channel === 'sms') return `${address.slice(0, 4)}•••${address.slice(-2)}`
  const [name = '', domain = ''] = address.split('@')
  return `${name.slice(0, 1)}•••@${domain}`
}
