// Spoils bytes in the ways that readers of PDF and ASN.1 get wrong: lengths, numbers, nesting, ends, pieces of others.

/** The same numbers for the same seed, each from 0 to below 1 (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number below the limit. */
type Pick = (limit: number) => number

const MOST_CHANGES = 6
const LONGEST_PIECE = 512
/** Spoiling adds to a file; this much it never gets. */
const MOST_BYTES = 1024 * 1024

const NUMBERS = [
  '0',
  '-1',
  '1',
  '65536',
  '2147483648',
  '4294967296',
  '9007199254740993',
  '1e400',
  '00000000000000000001',
]
const WORDS = [
  'obj',
  'endobj',
  'stream',
  'endstream',
  'R',
  'xref',
  'trailer',
  'startxref',
  '%%EOF',
  '<<',
  '>>',
  '[',
  ']',
  '<',
  '>',
  '(',
  ')',
  'null',
  'true',
  '/Length',
  '/Filter',
  '/FlateDecode',
  '/Prev',
  '/Size',
  '/W',
  '/Index',
  '/Type',
  '/ObjStm',
  '/XRef',
  '/Kids',
  '/Parent',
  '/ByteRange',
  '/Contents',
  '/DSS',
]
const LENGTHS = [
  '80',
  '81',
  '8180',
  '84ffffffff',
  '8400000000',
  '88ffffffffffffffff',
  '7f',
  '00',
  '81ff',
  '820000',
  '83010000',
]
const DEEP = [
  ['[', ']'],
  ['<</A ', '>>'],
  ['(', ')'],
  ['\x30\x80', '\x00\x00'],
  ['\x30\x82\xff\xff', ''],
  ['\xa0\x84\x00\x00\xff\xff', ''],
]

const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** Puts something in the place of a piece. */
const replace = (bytes: Buffer, from: number, to: number, other: Buffer) =>
  Buffer.concat([bytes.subarray(0, from), other, bytes.subarray(to)])

type Mutator = (bytes: Buffer, pick: Pick, other: Buffer) => Buffer

const piece = (bytes: Buffer, pick: Pick): [from: number, to: number] => {
  const from = pick(bytes.length)
  return [from, Math.min(bytes.length, from + 1 + pick(LONGEST_PIECE))]
}

/** The places at which a pattern stands, and how long each is. */
const placesOf = (bytes: Buffer, pattern: RegExp) =>
  [...bytes.toString('latin1').matchAll(pattern)].map((match) => ({ at: match.index, length: match[0].length }))

const MUTATORS: Record<string, Mutator> = {
  flip(bytes, pick) {
    const changed = Buffer.from(bytes)
    changed[pick(bytes.length)]! ^= 1 << pick(8)
    return changed
  },
  set(bytes, pick) {
    const changed = Buffer.from(bytes)
    changed[pick(bytes.length)] = [0, 0x20, 0x7f, 0x80, 0xff, pick(256)][pick(6)]!
    return changed
  },
  cutEnd: (bytes, pick) => bytes.subarray(0, 1 + pick(bytes.length)),
  cutOut: (bytes, pick) => replace(bytes, ...piece(bytes, pick), Buffer.alloc(0)),
  repeat(bytes, pick) {
    const [from, to] = piece(bytes, pick)
    const times = 1 + pick(64)
    return replace(bytes, to, to, Buffer.concat(Array.from({ length: times }, () => bytes.subarray(from, to))))
  },
  move(bytes, pick) {
    const [from, to] = piece(bytes, pick)
    const at = pick(bytes.length)
    return replace(bytes, at, at, bytes.subarray(from, to))
  },
  splice(bytes, pick, other) {
    const at = pick(bytes.length)
    return replace(bytes, at, pick(2) === 0 ? bytes.length : at, other.subarray(...piece(other, pick)))
  },
  append: (bytes, pick, other) => Buffer.concat([bytes, other.subarray(pick(other.length))]),
  number(bytes, pick) {
    const places = placesOf(bytes, /\d+/g)
    const place = places[pick(places.length)]
    if (place === undefined) return bytes
    return replace(bytes, place.at, place.at + place.length, latin1(NUMBERS[pick(NUMBERS.length)]!))
  },
  word(bytes, pick) {
    const places = placesOf(bytes, /\/?[A-Za-z]{2,20}|<<|>>|\[|\]/g)
    const place = places[pick(places.length)]
    if (place === undefined) return bytes
    return replace(bytes, place.at, place.at + place.length, latin1(WORDS[pick(WORDS.length)]!))
  },
  length(bytes, pick) {
    const places = placesOf(bytes, /[\x02-\x06\x0c\x13\x17\x18\x30\x31\xa0-\xa3][\x00-\xff]/g)
    const place = places[pick(places.length)]
    if (place === undefined) return bytes
    return replace(bytes, place.at + 1, place.at + 2, Buffer.from(LENGTHS[pick(LENGTHS.length)]!, 'hex'))
  },
  nest(bytes, pick) {
    const [open, close] = DEEP[pick(DEEP.length)] as [string, string]
    const times = [10, 100, 1000, 20_000][pick(4)]!
    const [from, to] = piece(bytes, pick)
    const inner = bytes.subarray(from, to)
    return replace(bytes, from, to, Buffer.concat([latin1(open.repeat(times)), inner, latin1(close.repeat(times))]))
  },
}

const NAMES = Object.keys(MUTATORS)

/** Changes bytes once or a few times; `other` is what pieces are taken from. */
export function mutate(bytes: Buffer, random: () => number, other: Buffer): Buffer {
  const pick: Pick = (limit) => Math.floor(random() * limit)
  let changed = bytes
  for (let times = 1 + pick(MOST_CHANGES); times > 0; times--) {
    if (changed.length === 0) return changed
    changed = MUTATORS[NAMES[pick(NAMES.length)]!]!(changed, pick, other).subarray(0, MOST_BYTES)
  }
  return changed
}
