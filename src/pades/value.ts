// The parsed form of a PDF object: a tree whose every node knows the bytes that it was read from.
// The writer copies those bytes for whatever it leaves alone, and the validator compares them.
import { damaged } from './refused.ts'

/** The bytes that an object was read from; `base` is the position of the first of them. */
export interface Origin {
  readonly bytes: Buffer
  /** An offset in the file; for an object in an object stream, an offset in that stream's decoded data. */
  readonly base: number
  /** False for what was read from an object stream: its positions are not positions in the file. */
  readonly inFile: boolean
}

interface Node {
  readonly origin: Origin
  readonly start: number
  readonly end: number
}

export interface PdfNull extends Node {
  readonly kind: 'null'
}
export interface PdfBoolean extends Node {
  readonly kind: 'boolean'
  readonly value: boolean
}
export interface PdfNumber extends Node {
  readonly kind: 'number'
  readonly value: number
  readonly isInteger: boolean
}
export interface PdfName extends Node {
  readonly kind: 'name'
  /** Without the slash, #xx decoded, one character for each byte. */
  readonly value: string
}
export interface PdfString extends Node {
  readonly kind: 'string'
  readonly bytes: Buffer
  readonly isHex: boolean
}
export interface PdfArray extends Node {
  readonly kind: 'array'
  readonly items: readonly PdfValue[]
}
export interface PdfDict extends Node {
  readonly kind: 'dict'
  /** In the order of the file. Keys are unique: the parser refuses a dictionary that says two things. */
  readonly entries: ReadonlyMap<string, PdfEntry>
}
export interface PdfEntry {
  readonly keyStart: number
  readonly value: PdfValue
}
export interface PdfRef extends Node {
  readonly kind: 'ref'
  readonly number: number
  readonly generation: number
}
export interface PdfStream extends Node {
  readonly kind: 'stream'
  readonly dict: PdfDict
  /** Where the data begins in the file. Its end is known once /Length is: see `PdfReader.streamExtent`. */
  readonly dataStart: number
}

export type PdfValue = PdfNull | PdfBoolean | PdfNumber | PdfName | PdfString | PdfArray | PdfDict | PdfRef | PdfStream

/** The bytes of a value as they stand in the document. */
export function rawBytes(value: PdfValue): Buffer {
  const { bytes, base } = value.origin
  return bytes.subarray(value.start - base, value.end - base)
}

/** The value of a key as written, which may be a reference; undefined where the key is absent. */
export const entry = (dict: PdfDict, key: string): PdfValue | undefined => dict.entries.get(key)?.value

/** True for the name given, and for nothing else. */
export const isName = (value: PdfValue | undefined, name: string): boolean =>
  value?.kind === 'name' && value.value === name

/** A whole number within safe bounds, or undefined. */
export function asInteger(value: PdfValue | undefined): number | undefined {
  return value?.kind === 'number' && value.isInteger && Number.isSafeInteger(value.value) ? value.value : undefined
}

/** A whole number that must be there and must not be negative. */
export function requireCount(value: PdfValue | undefined, what: string): number {
  const count = asInteger(value)
  if (count === undefined || count < 0) throw damaged(`${what} is not a whole number`)
  return count
}

/** The dictionary of a dictionary or of a stream. */
export function dictOf(value: PdfValue | undefined): PdfDict | undefined {
  if (value?.kind === 'dict') return value
  return value?.kind === 'stream' ? value.dict : undefined
}

/** A text string (ISO 32000-2, 7.9.2.2) as characters: UTF-16BE or UTF-8 by their marks, else read as Latin-1. */
export function textOf(value: PdfString): string {
  const { bytes } = value
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le')
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3).toString('utf8')
  return bytes.toString('latin1')
}
