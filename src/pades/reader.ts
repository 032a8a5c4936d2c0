// The strict, lazy reader: it reads the tail, the cross-references and then only the objects that are asked for.
// Whatever two programs could read in two ways is refused, because a signature must mean the same to everybody.
import { Budget, DEFAULT_LIMITS, type Limits } from './limits.ts'
import { openObjectStream, UnpackedStreams, type ObjectStream } from './object-stream.ts'
import { damaged, PdfRefused, tooComplex } from './refused.ts'
import { bufferSource, type Source } from './source.ts'
import {
  dictOf,
  entry,
  isName,
  requireCount,
  type PdfArray,
  type PdfDict,
  type PdfRef,
  type PdfStream,
  type PdfValue,
} from './value.ts'
import { parseAt, parseIndirectObject } from './window.ts'
import { readSections, type XrefEntry, type XrefSection } from './xref.ts'

const TAIL_BYTES = 2048
const MAX_REFERENCE_STEPS = 16
const MAX_CACHED_OBJECTS = 4096

export interface PdfObject {
  readonly number: number
  readonly generation: number
  readonly value: PdfValue
  /** Where it stands; an object in an object stream is at `index` of stream `streamNumber`. */
  readonly place:
    | { readonly kind: 'file'; readonly start: number; readonly end: number }
    | { readonly kind: 'compressed'; readonly streamNumber: number; readonly index: number }
}

/** Opens a document for reading. Throws `PdfRefused`, and nothing else, where the document is at fault. */
export async function openPdf(source: Source | Buffer, limits: Partial<Limits> = {}): Promise<PdfReader> {
  const from = Buffer.isBuffer(source) ? bufferSource(source) : source
  const budget = new Budget({ ...DEFAULT_LIMITS, ...limits }, from.size)
  if (from.size > budget.limits.maxFileBytes) throw new PdfRefused('too-large', 'This PDF is too large.')
  const headerVersion = await readHeader(from)
  const tail = await readTail(from)
  const sections = await readSections(from, tail.startxref, budget)
  return new PdfReader({ source: from, budget, headerVersion, sections })
}

async function readHeader(source: Source): Promise<string> {
  if (source.size === 0) throw new PdfRefused('not-a-pdf', 'This file is empty.')
  const head = (await source.read(0, 1024)).toString('latin1')
  const version = /^%PDF-([12]\.\d)(?![\d.])/.exec(head)?.[1]
  if (version !== undefined) return version
  if (head.includes('%PDF-')) throw damaged('something stands before its first line')
  throw new PdfRefused('not-a-pdf', 'This file is not a PDF.')
}

interface Tail {
  readonly startxref: number
  /** After `%%EOF`. */
  readonly end: number
}

async function readTail(source: Source): Promise<Tail> {
  const from = Math.max(0, source.size - TAIL_BYTES)
  const text = (await source.read(from, source.size - from)).toString('latin1')
  const match = /startxref[\0\t\n\f\r ]+(\d{1,15})[\0\t\n\f\r ]+%%EOF[\0\t\n\f\r ]*$/.exec(
    text.slice(text.lastIndexOf('startxref')),
  )
  if (match !== null) return { startxref: Number(match[1]), end: from + text.lastIndexOf('%%EOF') + 5 }
  if (text.includes('startxref') || text.includes('%%EOF')) throw damaged('its last lines are not as they should be')
  throw new PdfRefused('truncated', 'This PDF is incomplete: its end is missing.')
}

interface ReaderParts {
  source: Source
  budget: Budget
  headerVersion: string
  sections: readonly XrefSection[]
  parsed?: Map<number, PdfObject>
  unpacked?: UnpackedStreams
}

export class PdfReader {
  readonly source: Source
  readonly budget: Budget
  /** From the first line. The catalog may name a later one: see `version`. */
  readonly headerVersion: string
  /** Newest first. */
  readonly sections: readonly XrefSection[]
  /** Of the newest section. */
  readonly trailer: PdfDict
  private readonly objects = new Map<number, PdfObject | undefined>()
  /** By the place in the file, and so the same for every revision. */
  private readonly parsed: Map<number, PdfObject>
  private readonly unpacked: UnpackedStreams
  /** Where the object streams stand that were asked for, by their number. */
  private readonly streamPlaces = new Map<number, string>()

  constructor(parts: ReaderParts) {
    const { source, budget, headerVersion, sections, parsed = new Map(), unpacked = new UnpackedStreams() } = parts
    const newest = sections[0]
    if (newest === undefined) throw damaged('it has no cross-reference')
    this.source = source
    this.budget = budget
    this.headerVersion = headerVersion
    this.sections = sections
    this.parsed = parsed
    this.unpacked = unpacked
    this.trailer = newest.trailer
    if (sections.some(({ trailer }) => isPresent(entry(trailer, 'Encrypt')))) {
      throw new PdfRefused('encrypted', 'This PDF is encrypted. Save it without a password and try again.')
    }
  }

  get newestSection(): XrefSection {
    return this.sections[0] as XrefSection
  }

  /** One more than the highest object number that any section knows. */
  get nextObjectNumber(): number {
    return this.sections.reduce((size, section) => Math.max(size, section.size), 1)
  }

  /** The document as it was when the section at `index` was the newest. Shares source and budget with this one. */
  atSection(index: number): PdfReader {
    const { source, budget, headerVersion, parsed, unpacked } = this
    return new PdfReader({ source, budget, headerVersion, sections: this.sections.slice(index), parsed, unpacked })
  }

  /** What the cross-references say about an object, newest word first; undefined if no section knows it. */
  async findEntry(number: number): Promise<XrefEntry | undefined> {
    for (const section of this.sections) {
      // Not waited for where there is nothing, since a document that was saved often has hundreds of sections.
      const found = section.find(number)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** An object by its number; undefined where it is free or was never written (a reference to it means null). */
  async findObject(number: number): Promise<PdfObject | undefined> {
    if (this.objects.has(number)) return this.objects.get(number)
    const object = await this.loadObject(number)
    if (this.objects.size >= MAX_CACHED_OBJECTS) this.objects.clear()
    this.objects.set(number, object)
    return object
  }

  private async loadObject(number: number): Promise<PdfObject | undefined> {
    const found = await this.findEntry(number)
    if (found === undefined || found.kind === 'free') return undefined
    if (found.kind === 'compressed') return this.compressedObject(number, found.streamNumber, found.index)
    const object = this.parsed.get(found.offset) ?? (await this.objectAt(found.offset))
    if (object.number !== number || object.generation !== found.generation) {
      throw damaged(`object ${number} is not where the cross-reference says`)
    }
    if (this.parsed.size >= MAX_CACHED_OBJECTS) this.parsed.clear()
    this.parsed.set(found.offset, object)
    return object
  }

  /** The object that stands at an offset, whatever the cross-references say. */
  async objectAt(offset: number): Promise<PdfObject> {
    const { number, generation, start, end, value } = await parseAt(
      this.source,
      offset,
      this.budget,
      parseIndirectObject,
    )
    return { number, generation, value, place: { kind: 'file', start, end } }
  }

  private async compressedObject(number: number, streamNumber: number, index: number): Promise<PdfObject> {
    const stream = await this.objectStream(streamNumber)
    const value = stream.value(index, number)
    return { number, generation: 0, value, place: { kind: 'compressed', streamNumber, index } }
  }

  /** An object stream by its number. It must stand in the file itself, so that none is inside another. */
  async objectStream(number: number): Promise<ObjectStream> {
    const known = this.unpacked.find(this.streamPlaces.get(number))
    if (known !== undefined) return known
    const found = await this.findEntry(number)
    if (found?.kind !== 'offset') throw damaged(`the object stream ${number} is missing`)
    const object = await this.objectAt(found.offset)
    if (object.number !== number || object.value.kind !== 'stream')
      throw damaged(`the object stream ${number} is missing`)
    // Its length may be an object of its own, and so be another one in another revision.
    const place = `${found.offset}-${(await this.streamExtent(object.value)).dataEnd}`
    this.streamPlaces.set(number, place)
    return this.unpacked.find(place) ?? this.unpacked.keep(place, await this.unpack(object.value))
  }

  private async unpack(stream: PdfStream): Promise<ObjectStream> {
    return openObjectStream(stream, await this.streamBytes(stream), this.budget)
  }

  /** Where a stream's data ends and where its `endobj` ends. The data must be followed by `endstream`. */
  async streamExtent(stream: PdfStream): Promise<{ dataEnd: number; end: number }> {
    const length = requireCount(await this.resolve(entry(stream.dict, 'Length')), 'the length of a stream')
    const dataEnd = stream.dataStart + length
    if (dataEnd > this.source.size) throw damaged('a stream is longer than the file')
    const end = await parseAt(this.source, dataEnd, this.budget, (parser) => {
      parser.requireWord('endstream')
      parser.requireWord('endobj')
      return parser.position
    })
    return { dataEnd, end }
  }

  /** A stream's data as stored, still compressed. */
  async streamBytes(stream: PdfStream): Promise<Buffer> {
    const { dataEnd } = await this.streamExtent(stream)
    const length = dataEnd - stream.dataStart
    if (length > this.budget.limits.maxInflatedBytes) throw tooComplex('one of its streams is too large')
    return this.source.read(stream.dataStart, length)
  }

  /** Follows references until there is a value. A missing object is null. */
  async resolve(value: PdfValue | undefined): Promise<PdfValue | undefined> {
    let current = value
    for (let steps = 0; current?.kind === 'ref'; steps++) {
      if (steps >= MAX_REFERENCE_STEPS) throw damaged('references run in a circle')
      current = await this.followed(current)
    }
    return current?.kind === 'null' ? undefined : current
  }

  private async followed(ref: PdfRef): Promise<PdfValue | undefined> {
    const object = await this.findObject(ref.number)
    // A reference of another generation points to an object that has been deleted (7.3.10): null.
    return object?.generation === ref.generation ? object.value : undefined
  }

  /** The value of a key with references followed. */
  get(dict: PdfDict, key: string): Promise<PdfValue | undefined> {
    return this.resolve(entry(dict, key))
  }

  /** The dictionary at a key; undefined where there is none. */
  async findDict(dict: PdfDict, key: string): Promise<PdfDict | undefined> {
    return dictOf(await this.get(dict, key))
  }

  /** The array at a key; undefined where there is none. */
  async findArray(dict: PdfDict, key: string): Promise<PdfArray | undefined> {
    const value = await this.get(dict, key)
    return value?.kind === 'array' ? value : undefined
  }

  get rootRef(): PdfRef {
    const root = entry(this.trailer, 'Root')
    if (root?.kind !== 'ref') throw damaged('it does not say where its content begins')
    return root
  }

  /** The document catalog. */
  async catalog(): Promise<PdfDict> {
    const catalog = await this.resolve(this.rootRef)
    if (catalog?.kind !== 'dict') throw damaged('its catalog is missing')
    const type = await this.get(catalog, 'Type')
    // Some writers leave /Type out.
    if (type !== undefined && !isName(type, 'Catalog')) throw damaged('its catalog is missing')
    return catalog
  }

  /** The version that the document claims: the later of its first line and its catalog. */
  async version(): Promise<string> {
    const named = await this.get(await this.catalog(), 'Version')
    return named?.kind === 'name' && named.value > this.headerVersion ? named.value : this.headerVersion
  }

  /** Every object in use, as the newest section that names it knows it. */
  async *listObjects(): AsyncIterable<{ number: number; entry: XrefEntry }> {
    const seen = new Set<number>()
    let entries = 0
    for (const section of this.sections) {
      for (const number of numbersOf(section)) {
        if (++entries > this.budget.limits.maxXrefEntries) throw tooComplex('it has too many objects')
        if (seen.has(number)) continue
        seen.add(number)
        const found = await section.find(number)
        if (found !== undefined && found.kind !== 'free') yield { number, entry: found }
      }
    }
  }
}

/** The numbers of all objects that a section has a word about. */
export function* numbersOf({ subsections }: XrefSection): Iterable<number> {
  for (const { first, count } of subsections) {
    for (let number = first; number < first + count; number++) yield number
  }
}

const isPresent = (value: PdfValue | undefined) => value !== undefined && value.kind !== 'null'
