// The two forms of strings (ISO 32000-2, 7.3.4): in parentheses, and in hexadecimal digits.
import { BACKSLASH, CLOSE_ANGLE, CLOSE_PAREN, CR, isWhitespace, LF, OPEN_PAREN } from './characters.ts'

/** What was read and where it ended; or why it could not be. */
export type ReadString = { readonly bytes: Buffer; readonly end: number } | 'incomplete' | 'malformed'

/** Reads from the opening angle bracket on. */
export function readHexString(bytes: Buffer, at: number): ReadString {
  const close = bytes.indexOf(CLOSE_ANGLE, at)
  if (close === -1) return 'incomplete'
  const decoded = decodePlainHex(bytes, at + 1, close) ?? decodeSpacedHex(bytes.subarray(at + 1, close))
  return decoded === undefined ? 'malformed' : { bytes: decoded, end: close + 1 }
}

/** Signatures are long and written without white space: node decodes those quickly, and stops short at anything else. */
function decodePlainHex(bytes: Buffer, from: number, to: number): Buffer | undefined {
  const decoded = Buffer.from(bytes.toString('latin1', from, to), 'hex')
  return decoded.length * 2 === to - from ? decoded : undefined
}

/** White space is ignored, and an odd last digit counts as if 0 followed (7.3.4.3). */
function decodeSpacedHex(text: Buffer): Buffer | undefined {
  const digits = Buffer.from(text.filter((byte) => !isWhitespace(byte))).toString('latin1')
  if (!/^[0-9a-fA-F]*$/.test(digits)) return undefined
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

/** Reads from the opening parenthesis on. */
export function readLiteralString(bytes: Buffer, at: number): ReadString {
  const close = findClose(bytes, at + 1)
  if (close === undefined) return 'incomplete'
  const inside = bytes.subarray(at + 1, close)
  const isPlain = !inside.includes(BACKSLASH) && !inside.includes(CR)
  return { bytes: isPlain ? inside : unescape(inside), end: close + 1 }
}

/** The parenthesis that closes the string; those inside are balanced or escaped. */
function findClose(bytes: Buffer, from: number): number | undefined {
  let open = 1
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === BACKSLASH) at++
    else if (byte === OPEN_PAREN) open++
    else if (byte === CLOSE_PAREN && --open === 0) return at
  }
  return undefined
}

const ESCAPES: Readonly<Record<number, number>> = { 0x6e: 10, 0x72: 13, 0x74: 9, 0x62: 8, 0x66: 12 }

/** Undoes escapes; CR and CR LF count as one LF (7.3.4.2). */
function unescape(inside: Buffer): Buffer {
  const out = Buffer.allocUnsafe(inside.length)
  let length = 0
  for (let at = 0; at < inside.length;) {
    const byte = inside[at] as number
    if (byte === BACKSLASH) {
      const { value, next } = readEscape(inside, at + 1)
      if (value !== undefined) out[length++] = value
      at = next
    } else if (byte === CR) {
      out[length++] = LF
      at = afterLineEnd(inside, at)
    } else {
      out[length++] = byte
      at++
    }
  }
  return out.subarray(0, length)
}

/** What follows a backslash: a letter, up to three octal digits, or a line end, which stands for nothing. */
function readEscape(inside: Buffer, at: number): { value: number | undefined; next: number } {
  const byte = inside[at] as number
  if (isOctal(byte)) return readOctal(inside, at)
  if (byte === LF || byte === CR) return { value: undefined, next: afterLineEnd(inside, at) }
  return { value: ESCAPES[byte] ?? byte, next: at + 1 }
}

function readOctal(inside: Buffer, from: number): { value: number; next: number } {
  let value = 0
  let at = from
  for (; at < from + 3 && isOctal(inside[at]); at++) value = value * 8 + (inside[at] as number) - 0x30
  // What does not fit into a byte is cut off (7.3.4.2, table 3).
  return { value: value & 0xff, next: at }
}

const afterLineEnd = (inside: Buffer, at: number) => (inside[at] === CR && inside[at + 1] === LF ? at + 2 : at + 1)

const isOctal = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x37
