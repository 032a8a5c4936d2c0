// The append-only writer (ISO 32000-2, 7.5.6): what it makes is written after the document, which stays as it is.
// The new cross-reference is of the same kind as the last one, because PDF/A-1 and old readers know only tables and
// files with object streams can only be continued by streams.
import { hash } from 'node:crypto'
import { ArrayEdit, DictEdit, type Edit } from './edit.ts'
import type { PdfReader } from './reader.ts'
import { damaged, PdfRefused } from './refused.ts'
import { entry, rawBytes, type PdfRef, type PdfValue } from './value.ts'
import { reference, toBytes, type ObjectId, type Piece } from './write.ts'

/** Larger parts are placeholders and attachments; the rest identifies a revision well enough. */
const MAX_IDENTIFYING_BYTES = 512

const END_OF_OBJECT = Buffer.from('\nendobj\n')

export interface BuiltUpdate {
  /** The length of the document that it continues. */
  readonly documentBytes: number
  /** What has to be appended to the document. */
  readonly bytes: Buffer
  /** Where each new object's body begins, counted from the start of the document. */
  readonly bodyOffsets: ReadonlyMap<number, number>
}

interface NewObject {
  readonly id: ObjectId
  readonly body: Piece | readonly Buffer[] | Edit
}

export class Update {
  readonly reader: PdfReader
  private readonly objects = new Map<number, NewObject>()
  private nextNumber: number

  constructor(reader: PdfReader) {
    this.reader = reader
    this.nextNumber = reader.nextObjectNumber
  }

  /** A number that no revision of the document has used, not even for an object that is now free. */
  allocate(): ObjectId {
    if (this.nextNumber > this.reader.budget.limits.maxObjectNumber) {
      throw new PdfRefused('too-complex', 'This PDF has no room for further objects.')
    }
    return { number: this.nextNumber++, generation: 0 }
  }

  /** Writes a new object, or a new version of one. */
  put(id: ObjectId, body: Piece | readonly Buffer[]): void {
    this.objects.set(id.number, { id, body })
  }

  /** Writes a new object and answers with its id. */
  add(body: Piece): ObjectId {
    const id = this.allocate()
    this.put(id, body)
    return id
  }

  /** A new dictionary under a number of its own, open for changes. */
  newDict(id: ObjectId): DictEdit {
    return this.open(id, new DictEdit())
  }

  /** Writes a new stream; `entries` are those of its dictionary besides /Length. */
  addStream(entries: string, data: Buffer): ObjectId {
    return this.add(
      Buffer.concat([toBytes(`<< /Length ${data.length} ${entries} >>\nstream\n`), data, toBytes('\nendstream')]),
    )
  }

  /** The dictionary with this number, open for changes. Asked twice, it answers with the same edit. */
  async editDict(ref: PdfRef | ObjectId): Promise<DictEdit> {
    const known = this.objects.get(ref.number)?.body
    if (known instanceof DictEdit) return known
    const value = await this.objectValue(ref)
    if (value?.kind !== 'dict') throw damaged(`object ${ref.number} is not a dictionary`)
    return this.open(ref, new DictEdit(value))
  }

  private async editArray(ref: PdfRef): Promise<ArrayEdit> {
    const known = this.objects.get(ref.number)?.body
    if (known instanceof ArrayEdit) return known
    const value = await this.objectValue(ref)
    if (value?.kind !== 'array') throw damaged(`object ${ref.number} is not an array`)
    return this.open(ref, new ArrayEdit(value))
  }

  private async objectValue({ number, generation }: ObjectId): Promise<PdfValue | undefined> {
    const object = await this.reader.findObject(number)
    return object?.generation === generation ? object.value : undefined
  }

  private open<T extends Edit>({ number, generation }: ObjectId, edit: T): T {
    this.objects.set(number, { id: { number, generation }, body: edit })
    return edit
  }

  /** The dictionary at a key, open for changes, whether it is absent, written in place or an object of its own. */
  async childDict(parent: DictEdit, key: string): Promise<DictEdit> {
    const nested = parent.nested(key)
    if (nested instanceof DictEdit) return nested
    const value = parent.original(key)
    if (value?.kind === 'ref' && (await this.reader.resolve(value)) !== undefined) return this.editDict(value)
    const child = new DictEdit(value?.kind === 'dict' ? value : undefined)
    parent.set(key, child)
    return child
  }

  /** The array at a key, open for additions. */
  async childArray(parent: DictEdit, key: string): Promise<ArrayEdit> {
    const nested = parent.nested(key)
    if (nested instanceof ArrayEdit) return nested
    const value = parent.original(key)
    if (value?.kind === 'ref' && (await this.reader.resolve(value)) !== undefined) return this.editArray(value)
    const child = new ArrayEdit(value?.kind === 'array' ? value : undefined)
    parent.set(key, child)
    return child
  }

  /** Lays the objects out behind the document, with their cross-reference. */
  build(): BuiltUpdate {
    const { size } = this.reader.source
    // The document may end without a line break, so the update brings its own.
    const parts: Buffer[] = [toBytes('\n')]
    let position = size + 1
    const offsets = new Map<number, number>()
    const bodyOffsets = new Map<number, number>()
    for (const { id, body } of this.changedObjects()) {
      const head = toBytes(`${id.number} ${id.generation} obj\n`)
      const pieces = piecesOf(body)
      offsets.set(id.number, position)
      bodyOffsets.set(id.number, position + head.length)
      parts.push(head, ...pieces, END_OF_OBJECT)
      position += pieces.reduce((length, piece) => length + piece.length, head.length + END_OF_OBJECT.length)
    }
    parts.push(...this.crossReference(offsets, position, parts))
    parts.push(toBytes(`startxref\n${position}\n%%EOF\n`))
    return { documentBytes: size, bytes: Buffer.concat(parts), bodyOffsets }
  }

  private changedObjects(): NewObject[] {
    return [...this.objects.values()]
      .filter(({ body }) => !isEdit(body) || body.isChanged)
      .sort((a, b) => a.id.number - b.id.number)
  }

  private crossReference(offsets: Map<number, number>, position: number, written: Buffer[]): Buffer[] {
    const generation = (number: number) => this.objects.get(number)?.id.generation ?? 0
    const trailer = this.trailerEntries(written)
    if (this.reader.newestSection.kind === 'table') {
      return [toBytes(`xref\n${tableEntries(offsets, generation)}trailer\n<< /Size ${this.nextNumber} ${trailer} >>\n`)]
    }
    const own = this.allocate()
    offsets.set(own.number, position)
    const runs = consecutiveRuns([...offsets.keys()])
    const index = runs.map((run) => `${run[0]} ${run.length}`).join(' ')
    // Four bytes reach to 4 GiB; the fifth is spent only where it is needed.
    const width = position > 0xffff_ffff ? 5 : 4
    const data = streamEntries(offsets, generation, width)
    const entries = `/Type /XRef /W [1 ${width} 2] /Index [${index}] /Size ${this.nextNumber} ${trailer}`
    const head = `${own.number} 0 obj\n<< /Length ${data.length} ${entries} >>\nstream\n`
    return [toBytes(head), data, toBytes('\nendstream\nendobj\n')]
  }

  private trailerEntries(written: Buffer[]): string {
    const { trailer, newestSection, rootRef } = this.reader
    const info = entry(trailer, 'Info')
    const parts = [`/Prev ${newestSection.offset}`, `/Root ${reference(rootRef)}`]
    if (info?.kind === 'ref') parts.push(`/Info ${reference(info)}`)
    const id = this.fileIdentifier(written)
    if (id !== undefined) parts.push(`/ID ${id}`)
    return parts.join(' ')
  }

  /** The first part names the document for good, the second this state of it (14.4). */
  private fileIdentifier(written: Buffer[]): string | undefined {
    const id = this.reader.sections.map(({ trailer }) => entry(trailer, 'ID')).find((value) => value !== undefined)
    if (id === undefined) return undefined
    const first = id.kind === 'array' ? id.items[0] : undefined
    if (first?.kind !== 'string') return rawBytes(id).toString('latin1')
    const identifying = written.filter((part) => part.length <= MAX_IDENTIFYING_BYTES)
    const state = hash('sha256', Buffer.concat([first.bytes, ...identifying]), 'hex')
    return `[${rawBytes(first).toString('latin1')} <${state.slice(0, 32)}>]`
  }
}

const isEdit = (body: NewObject['body']): body is Edit => body instanceof DictEdit || body instanceof ArrayEdit

function piecesOf(body: NewObject['body']): readonly Buffer[] {
  if (isEdit(body)) return [body.toBytes()]
  return typeof body === 'string' || Buffer.isBuffer(body) ? [toBytes(body)] : body
}

function consecutiveRuns(numbers: number[]): number[][] {
  const runs: number[][] = []
  for (const number of numbers.sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last?.at(-1) === number - 1) last.push(number)
    else runs.push([number])
  }
  return runs
}

function tableEntries(offsets: Map<number, number>, generation: (number: number) => number): string {
  return consecutiveRuns([...offsets.keys()])
    .map((run) => {
      const lines = run.map((number) => {
        const offset = String(offsets.get(number)).padStart(10, '0')
        return `${offset} ${String(generation(number)).padStart(5, '0')} n \n`
      })
      return `${run[0]} ${run.length}\n${lines.join('')}`
    })
    .join('')
}

function streamEntries(offsets: Map<number, number>, generation: (number: number) => number, width: number): Buffer {
  const rows = [...offsets.keys()].sort((a, b) => a - b)
  const data = Buffer.alloc(rows.length * (width + 3))
  for (const [row, number] of rows.entries()) {
    const at = row * (width + 3)
    data[at] = 1
    data.writeUIntBE(offsets.get(number) as number, at + 1, width)
    data.writeUInt16BE(generation(number), at + 1 + width)
  }
  return data
}
