// The cross-reference sections of a document (ISO 32000-2, 7.5.4 and 7.5.8): where each object stands.
// Tables are not loaded: an entry has 20 bytes, so the one that is asked for is read in place.
import { decodeStructureStream } from './filters.ts'
import type { Budget } from './limits.ts'
import type { Parser } from './parser.ts'
import { damaged, PdfRefused, tooComplex } from './refused.ts'
import type { Source } from './source.ts'
import { asInteger, entry, isName, requireCount, type PdfDict, type PdfStream } from './value.ts'
import { parseAt, parseIndirectObject } from './window.ts'

export type XrefEntry =
  | { readonly kind: 'free' }
  | { readonly kind: 'offset'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'compressed'; readonly streamNumber: number; readonly index: number }

/** A run of consecutive object numbers; `at` is where its first entry stands. */
export interface Subsection {
  readonly first: number
  readonly count: number
  readonly at: number
}

export interface XrefSection {
  readonly kind: 'table' | 'stream'
  /** What `startxref` or `/Prev` says. */
  readonly offset: number
  /** Where it really begins: some writers point to the white space before it. */
  readonly start: number
  /** After the trailer dictionary, or after the `endobj` of the stream. */
  readonly end: number
  readonly trailer: PdfDict
  readonly prev: number | undefined
  /** The object number of a cross-reference stream itself. */
  readonly streamNumber: number | undefined
  /** By object number, without overlap. */
  readonly subsections: readonly Subsection[]
  /** One more than the highest object number of this section. */
  readonly size: number
  /** What this section says about an object; undefined at once if it says nothing. */
  find(number: number): Promise<XrefEntry> | undefined
}

const ENTRY_BYTES = 20
const MAX_GENERATION = 65_535

/** The chain of sections, newest first. Loops, hybrid files and sections without measure are refused. */
export async function readSections(source: Source, startxref: number, budget: Budget): Promise<XrefSection[]> {
  const sections: XrefSection[] = []
  const seen = new Set<number>()
  for (let offset: number | undefined = startxref; offset !== undefined;) {
    if (seen.has(offset)) throw damaged('its list of changes runs in a circle')
    if (seen.size >= budget.limits.maxSections) throw tooComplex('it has been changed too many times')
    seen.add(offset)
    const section = await readSection(source, offset, budget)
    sections.push(section)
    offset = section.prev
  }
  return sections
}

async function readSection(source: Source, offset: number, budget: Budget): Promise<XrefSection> {
  const { start, isTable } = await parseAt(source, offset, budget, (parser) => {
    parser.skipSpace()
    return { start: parser.position, isTable: parser.word() === 'xref' }
  })
  const read = isTable ? await readTable(source, start, budget) : await readStream(source, start, budget)
  const section = { ...read, offset, start }
  if (section.size > budget.limits.maxObjectNumber + 1) throw tooComplex('it claims too many objects')
  return section
}

type ReadSection = Omit<XrefSection, 'offset' | 'start'>

async function readTable(source: Source, offset: number, budget: Budget): Promise<ReadSection> {
  const subsections: Subsection[] = []
  let position = await parseAt(source, offset, budget, (parser) => {
    parser.requireWord('xref')
    return parser.position
  })
  for (;;) {
    const part = await parseAt(source, position, budget, (parser) => {
      const word = parser.word()
      if (word === 'trailer') return trailerPart(parser)
      if (!/^\d{1,10}$/.test(word)) throw damaged('its cross-reference table is malformed')
      const count = parser.requireInteger('the length of a cross-reference table')
      parser.skipSpace()
      return { kind: 'subsection', first: Number(word), count, at: parser.position } as const
    })
    if (part.kind === 'trailer') {
      return tableSection({ source, end: part.end, trailer: part.trailer, subsections: inOrder(subsections) })
    }
    subsections.push(part)
    if (subsections.length > budget.limits.maxSubsections)
      throw tooComplex('its cross-reference table has too many parts')
    position = part.at + part.count * ENTRY_BYTES
  }
}

function trailerPart(parser: Parser) {
  const trailer = parser.value()
  if (trailer.kind !== 'dict') throw damaged('its trailer is not a dictionary')
  return { kind: 'trailer', trailer, end: parser.position } as const
}

type TableParts = { source: Source; end: number; trailer: PdfDict; subsections: Subsection[] }

function tableSection({ source, end, trailer, subsections }: TableParts): ReadSection {
  // Old readers see the table, new readers the stream: the same file can show two documents.
  if (entry(trailer, 'XRefStm') !== undefined) {
    throw new PdfRefused(
      'hybrid',
      'This PDF describes its content twice (a hybrid file), so it may look different to different readers.',
    )
  }
  function find(number: number): Promise<XrefEntry> | undefined {
    const subsection = findSubsection(subsections, number)
    if (subsection === undefined) return undefined
    const at = subsection.at + (number - subsection.first) * ENTRY_BYTES
    return readTableEntry(source, at)
  }
  const common = { end, trailer, prev: previous(trailer), subsections, size: sizeOf(trailer, subsections) }
  return { kind: 'table', streamNumber: undefined, find, ...common }
}

async function readTableEntry(source: Source, at: number): Promise<XrefEntry> {
  const bytes = await source.read(at, ENTRY_BYTES)
  const match = /^(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)$/.exec(bytes.toString('latin1'))
  if (match === null) throw damaged('its cross-reference table has a malformed entry')
  const offset = Number(match[1])
  // 7.5.4: 65,535 is the highest generation. Some writers count on, and strict readers stop there.
  if (Number(match[2]) > MAX_GENERATION) throw damaged('its cross-reference table has an impossible entry')
  // Some writers fill gaps with entries in use at byte 0, where no object can stand.
  if (match[3] === 'f' || offset === 0) return { kind: 'free' }
  return { kind: 'offset', offset, generation: Number(match[2]) }
}

async function readStream(source: Source, offset: number, budget: Budget): Promise<ReadSection> {
  const object = await parseAt(source, offset, budget, parseIndirectObject)
  if (object.value.kind !== 'stream' || !isName(entry(object.value.dict, 'Type'), 'XRef')) {
    throw damaged(`there is no cross-reference at byte ${offset}, where there should be one`)
  }
  const stream: PdfStream = object.value
  const { dict, dataStart } = stream
  const length = requireCount(entry(dict, 'Length'), 'the length of its cross-reference')
  if (dataStart + length > source.size) throw damaged('its cross-reference is longer than the file')
  const end = await parseAt(source, dataStart + length, budget, (parser) => {
    parser.requireWord('endstream')
    parser.requireWord('endobj')
    return parser.position
  })
  const data = decodeStructureStream(dict, await source.read(dataStart, length), budget)
  return streamSection({ end, trailer: dict, streamNumber: object.number, data })
}

type StreamParts = { end: number; trailer: PdfDict; streamNumber: number; data: Buffer }

function streamSection({ end, trailer, streamNumber, data }: StreamParts): ReadSection {
  const widths = fieldWidths(trailer)
  const entryBytes = widths.reduce((sum, width) => sum + width, 0)
  const subsections = streamSubsections(trailer, entryBytes)
  const last = subsections.reduce((highest, { at, count }) => Math.max(highest, at + count * entryBytes), 0)
  if (entryBytes === 0 || last > data.length) throw damaged('its cross-reference is shorter than it says')
  function find(number: number): Promise<XrefEntry> | undefined {
    const subsection = findSubsection(subsections, number)
    if (subsection === undefined) return undefined
    return parseStreamEntry(data, subsection.at + (number - subsection.first) * entryBytes, widths)
  }
  const common = { end, trailer, prev: previous(trailer), subsections, size: sizeOf(trailer, subsections) }
  return { kind: 'stream', streamNumber, find, ...common }
}

const LONGEST_FIELD = 8
const MOST_NUMBER_BYTES = 6

type Widths = readonly [type: number, second: number, third: number]

function fieldWidths(trailer: PdfDict): Widths {
  const widths = entry(trailer, 'W')
  if (widths?.kind !== 'array' || widths.items.length < 3) throw damaged('its cross-reference lacks the field widths')
  const [type, second, third] = widths.items.slice(0, 3).map((item) => requireCount(item, 'a field width')) as [
    number,
    number,
    number,
  ]
  if (widths.items.length > 3 || [type, second, third].some((width) => width > LONGEST_FIELD))
    throw damaged('its cross-reference has odd field widths')
  return [type, second, third]
}

function streamSubsections(trailer: PdfDict, entryBytes: number): Subsection[] {
  const index = entry(trailer, 'Index')
  const numbers =
    index?.kind === 'array'
      ? index.items.map((item) => requireCount(item, 'an index of its cross-reference'))
      : [0, requireCount(entry(trailer, 'Size'), 'the number of its objects')]
  if (numbers.length % 2 !== 0) throw damaged('the index of its cross-reference is incomplete')
  const subsections: Subsection[] = []
  let at = 0
  for (let pair = 0; pair < numbers.length; pair += 2) {
    const count = numbers[pair + 1] as number
    subsections.push({ first: numbers[pair] as number, count, at })
    at += count * entryBytes
  }
  return inOrder(subsections)
}

/** Some writers give every offset eight bytes; what does not fit into six is no place in a file that we open. */
function readField(data: Buffer, at: number, width: number): number {
  if (width === 0) return 0
  const spare = Math.max(0, width - MOST_NUMBER_BYTES)
  if (data.subarray(at, at + spare).some((byte) => byte !== 0))
    throw damaged('its cross-reference has an entry beyond its end')
  return data.readUIntBE(at + spare, width - spare)
}

async function parseStreamEntry(data: Buffer, at: number, [type, second, third]: Widths): Promise<XrefEntry> {
  const field = (offset: number, width: number) => readField(data, at + offset, width)
  // Without a type field every entry is of type 1 (7.5.8.2).
  const kind = type === 0 ? 1 : field(0, type)
  const a = field(type, second)
  const b = field(type + second, third)
  if (kind === 1) return a === 0 ? { kind: 'free' } : { kind: 'offset', offset: a, generation: b }
  if (kind === 2) return { kind: 'compressed', streamNumber: a, index: b }
  if (kind === 0) return { kind: 'free' }
  throw damaged('its cross-reference has an entry of an unknown kind')
}

function previous(trailer: PdfDict): number | undefined {
  const prev = entry(trailer, 'Prev')
  return prev === undefined ? undefined : requireCount(prev, 'the place of its earlier cross-reference')
}

function sizeOf(trailer: PdfDict, subsections: readonly Subsection[]): number {
  const highest = subsections.reduce((size, { first, count }) => Math.max(size, first + count), 0)
  return Math.max(highest, asInteger(entry(trailer, 'Size')) ?? 0)
}

/** Two entries of one section for the same object would let readers disagree, so overlap is refused. */
function inOrder(subsections: Subsection[]): Subsection[] {
  const used = subsections.filter(({ count }) => count > 0).sort((a, b) => a.first - b.first)
  for (let index = 1; index < used.length; index++) {
    const before = used[index - 1] as Subsection
    if (before.first + before.count > (used[index] as Subsection).first)
      throw damaged('its cross-reference names an object twice')
  }
  return used
}

function findSubsection(subsections: readonly Subsection[], number: number): Subsection | undefined {
  let low = 0
  let high = subsections.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const candidate = subsections[middle] as Subsection
    if (number < candidate.first) high = middle - 1
    else if (number >= candidate.first + candidate.count) low = middle + 1
    else return candidate
  }
  return undefined
}
