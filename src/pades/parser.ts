// Reads PDF syntax (ISO 32000-2, 7.2 and 7.3) from a window of bytes. Strict: what can be read in two ways is refused.
import {
  CHARACTER_CLASS,
  CLOSE_ANGLE,
  CLOSE_BRACKET,
  CR,
  isDigit,
  LETTER_R,
  LF,
  OPEN_ANGLE,
  OPEN_BRACKET,
  OPEN_PAREN,
  PERCENT,
  REGULAR,
  SLASH,
  WHITESPACE,
} from './characters.ts'
import type { Limits } from './limits.ts'
import { damaged, tooComplex } from './refused.ts'
import { readHexString, readLiteralString, type ReadString } from './string-syntax.ts'
import type { Origin, PdfArray, PdfDict, PdfEntry, PdfName, PdfNumber, PdfString, PdfValue } from './value.ts'

export { isWhitespace } from './characters.ts'

/** Thrown when the window ends before the value does; whoever holds the source reads more and starts again. */
export const WINDOW_TOO_SMALL = Symbol('window too small')

/** As many as a double holds exactly. */
const MAX_PLAIN_DIGITS = 15
const MAX_GENERATION = 65_535

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
      else if (CHARACTER_CLASS[byte] === WHITESPACE) this.at++
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
    this.skipSpace()
    const value = this.plainInteger()
    if (value === undefined) throw damaged(`${what} is not a number at byte ${this.position}`)
    return value
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
        return this.string(readLiteralString(this.bytes, this.at), false)
      case OPEN_ANGLE:
        if (this.bytes[this.at + 1] === undefined) this.needMore()
        if (this.bytes[this.at + 1] === OPEN_ANGLE) return this.nested(() => this.dict())
        return this.string(readHexString(this.bytes, this.at), true)
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
      if (byte === LF || byte === CR) return
      this.at++
    }
  }

  private skipRegular(): void {
    const { bytes } = this
    while (this.at < bytes.length && CHARACTER_CLASS[bytes[this.at] as number] === REGULAR) this.at++
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
    const value = this.plainInteger()
    if (value === undefined) return this.number(start)
    const afterNumber = this.at
    this.skipSpace()
    const generation = this.plainInteger()
    if (generation !== undefined && generation <= MAX_GENERATION && this.skipLetterR()) {
      return this.reference(start, value, generation)
    }
    this.at = afterNumber
    return { kind: 'number', value, isInteger: true, origin: this.origin, start, end: this.position }
  }

  /** Digits and nothing else, as most numbers are; otherwise undefined, without moving. */
  private plainInteger(): number | undefined {
    const { bytes } = this
    let at = this.at
    let value = 0
    for (; isDigit(bytes[at]); at++) value = value * 10 + (bytes[at] as number) - 0x30
    if (at >= bytes.length) this.needMore()
    const digits = at - this.at
    if (digits === 0 || digits > MAX_PLAIN_DIGITS || this.isRegular(at)) return undefined
    this.at = at
    return value
  }

  private skipLetterR(): boolean {
    this.skipSpace()
    if (this.bytes[this.at] !== LETTER_R || this.isRegular(this.at + 1)) return false
    this.at++
    return true
  }

  private isRegular(at: number): boolean {
    const byte = this.bytes[at]
    if (byte === undefined) this.needMore()
    return byte !== undefined && CHARACTER_CLASS[byte] === REGULAR
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

  private string(read: ReadString, isHex: boolean): PdfString {
    const start = this.position
    if (read === 'incomplete') throw this.unexpectedEnd()
    if (read === 'malformed') throw damaged(`a string is malformed at byte ${start}`)
    this.at = read.end
    return { kind: 'string', bytes: read.bytes, isHex, origin: this.origin, start, end: this.position }
  }
}
