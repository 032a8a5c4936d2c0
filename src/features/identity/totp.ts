// Codes of authenticator apps: RFC 6238 with what every app understands, SHA-1, six digits and thirty seconds. Pure.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** RFC 4226 4: 160 bits are recommended. */
const SECRET_BYTES = 20
const DIGITS = 6
const STEP_MS = 30_000
/** One step before and after: phones' clocks differ (RFC 6238 5.2). */
const STEPS_APART = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** The code of one time step (RFC 4226 5.3). */
export function codeOfStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = hash[hash.length - 1]! & 0xf
  const number = (hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

/** The time step whose code this is, where one near the moment has it and lies behind `after`: no code is good twice. */
export function findStep(
  secret: Buffer,
  code: string,
  { now, after }: { now: Date; after: number },
): number | undefined {
  const present = Math.floor(now.getTime() / STEP_MS)
  let found: number | undefined
  for (let step = present - STEPS_APART; step <= present + STEPS_APART; step++) {
    if (isSame(codeOfStep(secret, step), code) && step > after) found = step
  }
  return found
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** RFC 4648 6, without padding: the form in which people can type a secret. */
export function toBase32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32[(value >> bits) & 31]
    }
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text
}

/** What an app reads from the QR code. */
export function totpAddress(secret: Buffer, { account, issuer }: { account: string; issuer: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = new URLSearchParams({
    secret: toBase32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: '30',
  })
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`
}
