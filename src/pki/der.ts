// The DER writer (X.690): small functions from values to bytes. Reading is in der-reader.ts.
import { PkiError } from './errors.ts'

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const

/** The tag byte of a context-specific element: primitive for implicitly tagged simple types, else constructed. */
export const contextTag = (number: number, form: 'primitive' | 'constructed' = 'constructed') =>
  (form === 'constructed' ? 0xa0 : 0x80) | number

/** Encodes one element: tag, minimal definite length, content. */
export function element(tag: number, ...parts: Buffer[]): Buffer {
  let length = 0
  for (const part of parts) length += part.length
  const lengthSize = lengthOfLength(length)
  const encoded = Buffer.allocUnsafe(1 + lengthSize + length)
  encoded[0] = tag
  writeLength(encoded, length, lengthSize)
  let at = 1 + lengthSize
  for (const part of parts) at += part.copy(encoded, at)
  return encoded
}

function lengthOfLength(length: number): number {
  if (length < 0x80) return 1
  if (length < 0x100) return 2
  if (length < 0x10000) return 3
  if (length < 0x1000000) return 4
  return 5
}

function writeLength(target: Buffer, length: number, lengthSize: number): void {
  if (lengthSize === 1) {
    target[1] = length
    return
  }
  target[1] = 0x80 | (lengthSize - 1)
  target.writeUIntBE(length, 2, lengthSize - 1)
}

export const sequence = (...parts: Buffer[]) => element(TAG.sequence, ...parts)

/** SEQUENCE OF a list that may be too long for arguments. */
export const sequenceOf = (parts: Buffer[]) => element(TAG.sequence, Buffer.concat(parts))

/** SET OF: DER orders the elements by their encodings (X.690 11.6). */
export const setOf = (parts: Buffer[]) => element(TAG.set, ...sortEncodings(parts))

/** The order that DER demands of SET OF, also for implicitly tagged sets. */
export const sortEncodings = (parts: Buffer[]) => [...parts].sort((one, other) => one.compare(other))

export const explicit = (number: number, ...parts: Buffer[]) => element(contextTag(number), ...parts)

/** Replaces the tag of an encoded element by a context-specific one and keeps whether it is constructed. */
export function implicit(number: number, encoded: Buffer): Buffer {
  const copy = Buffer.from(encoded)
  copy[0] = 0x80 | ((encoded[0] ?? 0) & 0x20) | number
  return copy
}

export const boolean = (value: boolean) => element(TAG.boolean, Buffer.from([value ? 0xff : 0]))
export const nullValue = () => element(TAG.null)
export const octetString = (content: Buffer) => element(TAG.octetString, content)
export const bitString = (content: Buffer) => element(TAG.bitString, Buffer.from([0]), content)
export const utf8String = (text: string) => element(TAG.utf8String, Buffer.from(text, 'utf8'))
export const printableString = (text: string) => element(TAG.printableString, Buffer.from(text, 'latin1'))
export const ia5String = (text: string) => element(TAG.ia5String, Buffer.from(text, 'latin1'))
export const enumerated = (value: number) => element(TAG.enumerated, integerContent(BigInt(value)))

/** A named bit list (X.690 11.2.2): bit 0 is the first, trailing zero bits are left out. */
export function namedBits(bits: number[]): Buffer {
  if (bits.length === 0) return element(TAG.bitString, Buffer.from([0]))
  const highest = Math.max(...bits)
  const content = Buffer.alloc(2 + (highest >> 3))
  content[0] = 7 - (highest & 7)
  for (const bit of bits) {
    const at = 1 + (bit >> 3)
    content[at] = (content[at] ?? 0) | (0x80 >> (bit & 7))
  }
  return element(TAG.bitString, content)
}

/** INTEGER from a number or bigint, or from the big-endian bytes of a number that is not negative. */
export function integer(value: number | bigint | Buffer): Buffer {
  if (Buffer.isBuffer(value)) return element(TAG.integer, unsignedContent(value))
  return element(TAG.integer, integerContent(BigInt(value)))
}

/** The content of an INTEGER for unsigned bytes: no superfluous leading zeros, one if the top bit is set. */
export function unsignedContent(bytes: Buffer): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const trimmed = bytes.length === 0 ? Buffer.from([0]) : bytes.subarray(start)
  return (trimmed[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), trimmed]) : trimmed
}

function integerContent(value: bigint): Buffer {
  if (value >= 0n && value < 0x80n) return Buffer.from([Number(value)])
  let size = 1
  while (value < -(1n << BigInt(8 * size - 1)) || value >= 1n << BigInt(8 * size - 1)) size++
  const hex = BigInt.asUintN(8 * size, value).toString(16)
  return Buffer.from(hex.padStart(2 * size, '0'), 'hex')
}

const MAX_OID_ARCS = 32

/** OBJECT IDENTIFIER from its dotted form; arcs may be as long as the 128 bits below 2.25. */
export function oid(dotted: string): Buffer {
  const arcs = /^\d+(\.\d+)+$/.test(dotted) ? dotted.split('.') : []
  const [first = 9, second = 0] = arcs.slice(0, 2).map(Number)
  if (first > 2 || (first < 2 && second > 39) || arcs.length > MAX_OID_ARCS) {
    throw new PkiError('bad-argument', `"${dotted.slice(0, 100)}" is not an object identifier.`)
  }
  // X.690 8.19.4: the first two arcs share a number.
  const joined = (BigInt(arcs[1] ?? 0) + BigInt(40 * first)).toString()
  return element(TAG.oid, Buffer.from([joined, ...arcs.slice(2)].flatMap(base128)))
}

function base128(decimal: string): number[] {
  const bytes: number[] = []
  if (decimal.length < 10) {
    for (let rest = Number(decimal); rest > 0 || bytes.length === 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  } else {
    for (let rest = BigInt(decimal); rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 0x7fn) | 0x80)
  }
  return bytes.with(bytes.length - 1, (bytes.at(-1) ?? 0) & 0x7f)
}

/** Time as certificates and CRLs write it: UTCTime until 2049, GeneralizedTime after (RFC 5280 4.1.2.5). */
export function time(at: Date): Buffer {
  const year = at.getUTCFullYear()
  if (year < 1950 || year > 2049) return generalizedTime(at)
  return element(TAG.utcTime, Buffer.from(compactTime(at).slice(2), 'latin1'))
}

/** GeneralizedTime in whole seconds and UTC. */
export const generalizedTime = (at: Date) => element(TAG.generalizedTime, Buffer.from(compactTime(at), 'latin1'))

function compactTime(at: Date): string {
  const year = at.getUTCFullYear()
  if (Number.isNaN(year) || year < 0 || year > 9999) throw new PkiError('bad-argument', 'The time cannot be encoded.')
  const text = at.toISOString()
  // A regular expression takes longer here than all the rest of a timestamp's encoding.
  const date = text.slice(0, 4) + text.slice(5, 7) + text.slice(8, 10)
  return `${date}${text.slice(11, 13)}${text.slice(14, 16)}${text.slice(17, 19)}Z`
}
