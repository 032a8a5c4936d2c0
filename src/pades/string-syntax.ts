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
  return readPlainLiteral(bytes, at + 1) ?? new LiteralReader(bytes, at + 1).read()
}

/** Most strings hold neither escapes nor parentheses nor line ends, and can be taken as they stand. */
function readPlainLiteral(bytes: Buffer, from: number): ReadString | undefined {
  for (let at = from; ; at++) {
    const byte = bytes[at]
    if (byte === CLOSE_PAREN) return { bytes: bytes.subarray(from, at), end: at + 1 }
    if (byte === undefined) return 'incomplete'
    if (byte === BACKSLASH || byte === OPEN_PAREN || byte === CR) return undefined
  }
}

const ESCAPES: Readonly<Record<number, number>> = { 0x6e: 10, 0x72: 13, 0x74: 9, 0x62: 8, 0x66: 12 }

class LiteralReader {
  private readonly bytes: Buffer
  private readonly out: number[] = []
  private at: number

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes
    this.at = at
  }

  read(): ReadString {
    let open = 1
    for (;;) {
      const byte = this.bytes[this.at++]
      if (byte === undefined) return 'incomplete'
      if (byte === BACKSLASH) this.escape()
      else if (byte === CR) this.lineEnd()
      else {
        if (byte === OPEN_PAREN) open++
        if (byte === CLOSE_PAREN && --open === 0) return { bytes: Buffer.from(this.out), end: this.at }
        this.out.push(byte)
      }
    }
  }

  /** CR and CR LF count as one LF (7.3.4.2). */
  private lineEnd(): void {
    if (this.bytes[this.at] === LF) this.at++
    this.out.push(LF)
  }

  private escape(): void {
    const byte = this.bytes[this.at++]
    if (byte === undefined || byte === LF) return
    if (isOctal(byte)) return this.octal(byte)
    if (byte === CR) {
      if (this.bytes[this.at] === LF) this.at++
      return
    }
    this.out.push(ESCAPES[byte] ?? byte)
  }

  /** One to three digits; what does not fit into a byte is cut off. */
  private octal(first: number): void {
    let value = first - 0x30
    for (let digits = 1; digits < 3; digits++) {
      const next = this.bytes[this.at]
      if (next === undefined || !isOctal(next)) break
      value = value * 8 + next - 0x30
      this.at++
    }
    this.out.push(value & 0xff)
  }
}

const isOctal = (byte: number) => byte >= 0x30 && byte <= 0x37
