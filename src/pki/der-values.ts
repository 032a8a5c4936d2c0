// What the contents of primitive DER elements mean; strict, as DER allows one encoding for each value.
import { TAG } from './der.ts'
import { DerError } from './errors.ts'

const MAX_OID_BYTES = 64

export const badValue = (message: string) => new DerError('bad-value', message)

/** Passes on the content of an INTEGER if it is minimal (X.690 8.3.2). */
export function checkInteger(content: Buffer): Buffer {
  const [first, second = 0] = content
  if (first === undefined) throw badValue('An INTEGER is empty.')
  const isPadded = content.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
  if (isPadded) throw badValue('An INTEGER is written in more bytes than it needs.')
  return content
}

/** The dotted form of an OBJECT IDENTIFIER. */
export function decodeOid(content: Buffer): string {
  if (content.length === 0 || content.length > MAX_OID_BYTES || (content.at(-1) ?? 0) & 0x80) {
    throw badValue('An OBJECT IDENTIFIER is malformed.')
  }
  let dotted = ''
  for (let start = 0; start < content.length;) {
    let end = start
    while ((content[end] ?? 0) & 0x80) end++
    if (content[start] === 0x80) throw badValue('An OBJECT IDENTIFIER is malformed.')
    const arc = decodeArc(content, start, end)
    dotted += start === 0 ? firstArcs(arc) : `.${arc}`
    start = end + 1
  }
  return dotted
}

/** Arcs are numbers as long as they fit, because this runs for every element of every certificate. */
function decodeArc(content: Buffer, start: number, end: number): number | bigint {
  if (end - start < 7) {
    let arc = 0
    for (let at = start; at <= end; at++) arc = arc * 128 + ((content[at] ?? 0) & 0x7f)
    return arc
  }
  let arc = 0n
  for (let at = start; at <= end; at++) arc = (arc << 7n) | BigInt((content[at] ?? 0) & 0x7f)
  return arc
}

/** X.690 8.19.4: the first two arcs share a number. */
function firstArcs(joined: number | bigint): string {
  if (joined < 40) return `0.${joined}`
  if (joined < 80) return `1.${Number(joined) - 40}`
  return `2.${typeof joined === 'bigint' ? joined - 80n : joined - 80}`
}

const TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{0,8}[1-9]))?Z$/

/** UTCTime with the century that RFC 5280 4.1.2.5.1 gives it. */
export function expandYear(text: string): string {
  if (!/^\d{12}Z$/.test(text)) throw badValue('A UTCTime is malformed.')
  return `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}`
}

/** The moment that a GeneralizedTime names. */
export function parseTime(text: string): Date {
  const [, year, month, day, hour, minute, second, fraction = ''] = TIME.exec(text) ?? []
  if (year === undefined) throw badValue('A time is malformed.')
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const at = new Date(iso)
  // Date rolls 30 February over to March; such a time was never written by a clock.
  if (Number.isNaN(at.getTime()) || at.toISOString() !== iso) throw badValue('A time does not exist.')
  return at
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeWith(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw badValue('A string is not in its encoding.')
  }
}

function decodeBmp(content: Buffer): string {
  if (content.length % 2 !== 0) throw badValue('A BMPString has an odd length.')
  return Buffer.from(content).swap16().toString('utf16le')
}

const STRING_DECODERS: Record<number, (content: Buffer) => string> = {
  [TAG.utf8String]: (content) => decodeWith(() => utf8.decode(content)),
  [TAG.printableString]: (content) => content.toString('latin1'),
  [TAG.teletexString]: (content) => content.toString('latin1'),
  [TAG.ia5String]: (content) => content.toString('latin1'),
  [TAG.visibleString]: (content) => content.toString('latin1'),
  [TAG.bmpString]: decodeBmp,
}

/** The text of a string type, or undefined if the tag is not one. */
export const decodeText = (tag: number, content: Buffer) => STRING_DECODERS[tag]?.(content)
