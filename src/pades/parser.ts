// Reads PDF syntax (ISO 32000-2, 7.2 and 7.3) from a window of bytes. Strict: what can be read in two ways is refused.
import type { Limits } from './limits.ts'
import { damaged, tooComplex } from './refused.ts'
import type { Origin, PdfArray, PdfDict, PdfEntry, PdfName, PdfNumber, PdfString, PdfValue } from './value.ts'

/** Thrown when the window ends before the value does; whoever holds the source reads more and starts again. */
export const WINDOW_TOO_SMALL = Symbol('window too small')

const WHITESPACE = 1
const DELIMITER = 2
const CLASS = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) CLASS[byte] = WHITESPACE
for (const char of '()<>[]{}/%') CLASS[char.charCodeAt(0)] = DELIMITER

export const isWhitespace = (byte: number | undefined): boolean => byte !== undefined && CLASS[byte] === WHITESPACE

const HEX = new Int8Array(256).fill(-1)
for (let digit = 0; digit < 16; digit++) {
  HEX[digit.toString(16).charCodeAt(0)] = digit
  HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit
}

const SLASH = 0x2f
const PERCENT = 0x25
const OPEN_ANGLE = 0x3c
const CLOSE_ANGLE = 0x3e
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_PAREN = 0x28
const CLOSE_PAREN = 0x29
const BACKSLASH = 0x5c
const LETTER_R = 0x52

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39

const ESCAPES: Readonly<Record<number, number>> = { 0x6e: 10, 0x72: 13, 0x74: 9, 0x62: 8, 0x66: 12 }

export class Parser {
  readonly origin: Origin
  private readonly bytes: Buffer
  private readonly base: number
  private readonly isWhole: boolean
  private readonly limits: Limits
  private depth = 0
  private values = 0
  private at: number

  /** `isWhole`: nothing follows the window, so its end is the end of the data. */
  constructor(origin: Origin, limits: Limits, { isWhole, position }: { isWhole: boolean; position?: number }) {
    this.origin = origin
    this.bytes = origin.bytes
    this.base = origin.base
    this.limits = limits
    this.isWhole = isWhole
    this.at = (position ?? origin.base) - origin.base
  }

  /** Where the next byte stands. */
  get position(): number {
    return this.base + this.at
  }

  set position(position: number) {
    this.at = position - this.base
  }

  /** Moves past white space and comments. */
  skipSpace(): void {
    const { bytes } = this
    for (;;) {
      const byte = bytes[this.at]
      if (byte === undefined) return this.needMore()
      if (byte === PERCENT) this.skipComment()
      else if (CLASS[byte] === WHITESPACE) this.at++
      else return
    }
  }

  /** The regular characters from here on, as text: a keyword, a number, or nothing. */
  word(): string {
    this.skipSpace()
    const start = this.at
    this.skipRegular()
    return this.bytes.toString('latin1', start, this.at)
  }

  /** Passes over the keyword, or refuses. */
  requireWord(expected: string): void {
    const where = this.position
    if (this.word() !== expected) throw damaged(`“${expected}” is missing at byte ${where}`)
  }

  /** A whole number without sign, as in `12 0 obj`. */
  requireInteger(what: string): number {
    const text = this.word()
    if (!/^\d{1,15}$/.test(text)) throw damaged(`${what} is not a number at byte ${this.position - text.length}`)
    return Number(text)
  }

  /** The byte at the position, without moving; undefined at the end of the data. */
  peek(): number | undefined {
    const byte = this.bytes[this.at]
    if (byte === undefined) this.needMore()
    return byte
  }

  /** One value of any kind except a stream, whose data the reader looks after. */
  value(): PdfValue {
    this.skipSpace()
    if (++this.values > this.limits.maxValues) throw tooComplex('one of its objects holds too many values')
    const byte = this.bytes[this.at]
    switch (byte) {
      case SLASH:
        return this.name()
      case OPEN_BRACKET:
        return this.nested(() => this.array())
      case OPEN_PAREN:
        return this.literalString()
      case OPEN_ANGLE:
        if (this.bytes[this.at + 1] === undefined) this.needMore()
        return this.bytes[this.at + 1] === OPEN_ANGLE ? this.nested(() => this.dict()) : this.hexString()
      default:
        return this.numberOrWord(byte)
    }
  }

  private needMore(): void {
    if (!this.isWhole) throw WINDOW_TOO_SMALL
  }

  private unexpectedEnd(): Error {
    this.needMore()
    return damaged('it ends in the middle of an object')
  }

  private skipComment(): void {
    for (;;) {
      const byte = this.bytes[this.at]
      if (byte === undefined) return this.needMore()
      if (byte === 10 || byte === 13) return
      this.at++
    }
  }

  private skipRegular(): void {
    const { bytes } = this
    while (this.at < bytes.length && CLASS[bytes[this.at] as number] === 0) this.at++
    if (this.at >= bytes.length) this.needMore()
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > this.limits.maxDepth) throw tooComplex('its objects are nested too deeply')
    const value = read()
    this.depth--
    return value
  }

  private numberOrWord(first: number | undefined): PdfValue {
    const start = this.position
    if (first === undefined) throw this.unexpectedEnd()
    if (isDigit(first) || first === 0x2b || first === 0x2d || first === 0x2e) return this.numberOrReference(start)
    const text = this.word()
    const place = { origin: this.origin, start, end: this.position }
    if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true', ...place }
    if (text === 'null') return { kind: 'null', ...place }
    throw damaged(`something that is not PDF stands at byte ${start}`)
  }

  private numberOrReference(start: number): PdfValue {
    const number = this.number(start)
    if (!number.isInteger || number.value < 0) return number
    const afterNumber = this.at
    this.skipSpace()
    if (isDigit(this.bytes[this.at])) {
      const generation = this.word()
      if (/^\d{1,5}$/.test(generation)) {
        this.skipSpace()
        if (this.bytes[this.at] === LETTER_R && this.word() === 'R') {
          return this.reference(start, number.value, Number(generation))
        }
      }
    }
    this.at = afterNumber
    return number
  }

  private reference(start: number, number: number, generation: number): PdfValue {
    if (number > this.limits.maxObjectNumber) throw damaged(`the object number ${number} is too high`)
    return { kind: 'ref', number, generation, origin: this.origin, start, end: this.position }
  }

  private number(start: number): PdfNumber {
    const from = this.at
    this.skipRegular()
    const text = this.bytes.toString('latin1', from, this.at)
    if (!/^[+-]?(?:\d{1,20}\.?\d{0,40}|\.\d{1,40})$/.test(text)) throw damaged(`a number is malformed at byte ${start}`)
    return {
      kind: 'number',
      value: Number(text),
      isInteger: !text.includes('.'),
      origin: this.origin,
      start,
      end: this.position,
    }
  }

  private name(): PdfName {
    const start = this.position
    this.at++
    const from = this.at
    this.skipRegular()
    const raw = this.bytes.toString('latin1', from, this.at)
    const value = raw.includes('#') ? this.unescapeName(raw) : raw
    return { kind: 'name', value, origin: this.origin, start, end: this.position }
  }

  private unescapeName(raw: string): string {
    // A lone # is legal in PDF 1.1 and harmless: it stands for itself.
    return raw.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }

  private array(): PdfArray {
    const start = this.position
    this.at++
    const items: PdfValue[] = []
    for (;;) {
      this.skipSpace()
      const byte = this.bytes[this.at]
      if (byte === undefined) throw this.unexpectedEnd()
      if (byte === CLOSE_BRACKET) break
      items.push(this.value())
    }
    this.at++
    return { kind: 'array', items, origin: this.origin, start, end: this.position }
  }

  private dict(): PdfDict {
    const start = this.position
    this.at += 2
    const entries = new Map<string, PdfEntry>()
    for (;;) {
      this.skipSpace()
      const byte = this.bytes[this.at]
      if (byte === undefined) throw this.unexpectedEnd()
      if (byte === CLOSE_ANGLE) break
      if (byte !== SLASH) throw damaged(`a dictionary key is missing at byte ${this.position}`)
      const key = this.name()
      const value = this.value()
      if (entries.has(key.value)) throw damaged(`a dictionary names “${key.value}” twice at byte ${key.start}`)
      entries.set(key.value, { keyStart: key.start, value })
    }
    if (this.bytes[this.at + 1] === undefined) throw this.unexpectedEnd()
    if (this.bytes[this.at + 1] !== CLOSE_ANGLE) throw damaged(`a dictionary does not end at byte ${this.position}`)
    this.at += 2
    return { kind: 'dict', entries, origin: this.origin, start, end: this.position }
  }

  private hexString(): PdfString {
    const start = this.position
    const close = this.bytes.indexOf(CLOSE_ANGLE, this.at)
    if (close === -1) throw this.unexpectedEnd()
    const bytes = decodePlainHex(this.bytes, this.at + 1, close) ?? decodeHex(this.bytes.subarray(this.at + 1, close))
    if (bytes === undefined) throw damaged(`a hexadecimal string is malformed at byte ${start}`)
    this.at = close + 1
    return { kind: 'string', bytes, isHex: true, origin: this.origin, start, end: this.position }
  }

  private literalString(): PdfString {
    const start = this.position
    this.at++
    const from = this.at
    const bytes = this.plainString() ?? this.escapedString(from)
    return { kind: 'string', bytes, isHex: false, origin: this.origin, start, end: this.position }
  }

  /** Most strings hold neither escapes nor parentheses nor line ends, and can be taken as they stand. */
  private plainString(): Buffer | undefined {
    const from = this.at
    for (; ; this.at++) {
      const byte = this.bytes[this.at]
      if (byte === CLOSE_PAREN) return this.bytes.subarray(from, this.at++)
      if (byte === undefined || byte === BACKSLASH || byte === OPEN_PAREN || byte === 13) return undefined
    }
  }

  private escapedString(from: number): Buffer {
    const out: number[] = []
    let open = 1
    this.at = from
    for (;;) {
      const byte = this.bytes[this.at++]
      if (byte === undefined) throw this.unexpectedEnd()
      if (byte === BACKSLASH) this.escape(out)
      else if (byte === 13) this.lineEnd(out)
      else {
        if (byte === OPEN_PAREN) open++
        if (byte === CLOSE_PAREN && --open === 0) return Buffer.from(out)
        out.push(byte)
      }
    }
  }

  /** Inside a string, CR and CR LF count as one LF (7.3.4.2). */
  private lineEnd(out: number[]): void {
    if (this.bytes[this.at] === 10) this.at++
    out.push(10)
  }

  private escape(out: number[]): void {
    const byte = this.bytes[this.at++]
    if (byte === undefined) throw this.unexpectedEnd()
    if (byte >= 0x30 && byte <= 0x37) return this.octal(byte, out)
    if (byte === 10) return
    if (byte === 13) {
      if (this.bytes[this.at] === 10) this.at++
      return
    }
    out.push(ESCAPES[byte] ?? byte)
  }

  private octal(first: number, out: number[]): void {
    let value = first - 0x30
    for (let digits = 1; digits < 3; digits++) {
      const next = this.bytes[this.at]
      if (next === undefined || next < 0x30 || next > 0x37) break
      value = value * 8 + next - 0x30
      this.at++
    }
    out.push(value & 0xff)
  }
}

/** Signatures are long and written without white space: node decodes those quickly, and stops short at anything else. */
function decodePlainHex(bytes: Buffer, from: number, to: number): Buffer | undefined {
  const decoded = Buffer.from(bytes.toString('latin1', from, to), 'hex')
  return decoded.length * 2 === to - from ? decoded : undefined
}

/** White space is ignored, an odd last digit counts as if 0 followed (7.3.4.3); anything else is undefined. */
function decodeHex(text: Buffer): Buffer | undefined {
  const out = Buffer.allocUnsafe((text.length + 1) >> 1)
  let length = 0
  let high = -1
  for (const byte of text) {
    const digit = HEX[byte] as number
    if (digit < 0) {
      if (CLASS[byte] === WHITESPACE) continue
      return undefined
    }
    if (high < 0) high = digit
    else {
      out[length++] = (high << 4) | digit
      high = -1
    }
  }
  if (high >= 0) out[length++] = high << 4
  return out.subarray(0, length)
}
