// Every object of every revision, looked at once: who points to whom, what looks like a signature, and whether each
// object stands where its revision says. What can't be read is refused, since it could be anything.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PdfObject, PdfReader } from '../reader.ts'
import { damaged, tooComplex } from '../refused.ts'
import { listRevisions, type PdfRevision } from '../revisions.ts'
import { isName, entry, type PdfDict, type PdfValue } from '../value.ts'
import type { XrefEntry } from '../xref.ts'
import { Effort, MAX_REFERENCES, MAX_REVISIONS } from './bounds.ts'
import { listFields, type FormField } from './fields.ts'

export interface RevisionView {
  readonly revision: PdfRevision
  /** The document as it was then. */
  readonly reader: PdfReader
  /** What its cross-reference names: object numbers with their entries. */
  readonly entries: ReadonlyMap<number, XrefEntry>
  /** The fields of the form as it was then; read when first asked for. */
  fields(): Promise<readonly FormField[]>
  /** The same where somebody has asked for them already. */
  knownFields(): Promise<readonly FormField[]> | undefined
}

export interface FoundSignature {
  /** The object that is, or holds, the dictionary. */
  readonly number: number
  readonly revision: number
  /** False where the dictionary stands inside another object. */
  readonly isObject: boolean
}

export interface Inventory {
  readonly views: readonly RevisionView[]
  /** Dictionaries that look like signatures, wherever they stand, in the order of the revisions. */
  readonly signatures: readonly FoundSignature[]
  readonly references: References
  readonly effort: Effort
}

const OBJECTS_BETWEEN_TURNS = 500

/** Reads the whole document. Throws `PdfRefused` where anything is not as it should be. */
export async function takeInventory(reader: PdfReader): Promise<Inventory> {
  const revisions = await listRevisions(reader)
  if (revisions.length > MAX_REVISIONS) throw tooComplex('it has been changed too many times')
  await requireNothingBehind(reader, revisions)
  const effort = new Effort()
  const inventory: Mutable = { views: [], signatures: [], references: new References(effort), effort }
  for (const revision of revisions) {
    const view = await readView(reader, revision, { effort, before: inventory.views.at(-1) })
    inventory.views.push(view)
    await scan(view, inventory)
  }
  return inventory
}

/** Readers ignore what follows the last %%EOF, so nothing but the end of a line may stand there. */
async function requireNothingBehind({ source }: PdfReader, revisions: readonly PdfRevision[]): Promise<void> {
  const last = revisions.at(-1)
  if (last === undefined || last.end !== source.size) throw damaged('something follows its end')
}

type Around = { effort: Effort; before: RevisionView | undefined }

async function readView(reader: PdfReader, revision: PdfRevision, { effort, before }: Around): Promise<RevisionView> {
  const entries = new Map<number, XrefEntry>()
  for (const section of revision.sections) {
    for (const { first, count } of section.subsections) {
      if (entries.size + count > reader.budget.limits.maxXrefEntries) throw tooComplex('it has too many objects')
      for (let number = first; number < first + count; number++) {
        const found = await section.find(number)
        if (found !== undefined && !entries.has(number)) entries.set(number, found)
      }
    }
  }
  const then = reader.atSection(revision.sectionIndex)
  let known: Promise<FormField[]> | undefined
  const readFields = async () => {
    // A form that could not be read then is none to compare with; nor is one that nobody needs, from before any signature.
    const earlier = await before?.knownFields()?.catch(() => undefined)
    return listFields(then, effort, earlier && { fields: earlier, hasChanged: (number) => entries.has(number) })
  }
  const fields = () => (known ??= readFields())
  return { revision, reader: then, entries, fields, knownFields: () => known }
}

async function scan(view: RevisionView, { signatures, references, effort }: Mutable): Promise<void> {
  const { index } = view.revision
  references.note({ from: TRAILER, revision: index, value: view.reader.trailer })
  let objects = 0
  for (const [number, found] of inOrderOfPlace(view.entries)) {
    if (++objects % OBJECTS_BETWEEN_TURNS === 0) await nextTurn()
    effort.spendObject()
    const object = await readEntry(view, number, found)
    if (object === undefined) continue
    // A cross-reference stream is the trailer of its revision.
    const from = view.revision.sections.some(({ streamNumber }) => streamNumber === number) ? TRAILER : number
    const { hasSignature, isSignature } = references.note({ from, revision: index, value: object.value })
    if (hasSignature) signatures.push({ number, revision: index, isObject: isSignature })
  }
}

type Mutable = Inventory & { views: RevisionView[]; signatures: FoundSignature[] }

/** Objects of one object stream follow each other, so that it is unpacked once. */
const inOrderOfPlace = (entries: ReadonlyMap<number, XrefEntry>) =>
  [...entries].sort(([, one], [, other]) => containerOf(one) - containerOf(other))

const containerOf = (found: XrefEntry) => (found.kind === 'compressed' ? found.streamNumber : -1)

/** The object of an entry, read without the reader's cache; undefined for a free one. */
export async function readEntry(view: RevisionView, number: number, found: XrefEntry): Promise<PdfObject | undefined> {
  if (found.kind === 'free') return undefined
  if (found.kind === 'compressed') {
    const stream = await view.reader.objectStream(found.streamNumber)
    const place = { kind: 'compressed', streamNumber: found.streamNumber, index: found.index } as const
    return { number, generation: 0, value: stream.value(found.index, number), place }
  }
  const object = await view.reader.objectAt(found.offset)
  if (object.number !== number || object.generation !== found.generation) {
    throw damaged(`object ${number} is not where the cross-reference says`)
  }
  const { start, end } = await extentOf(view.reader, object)
  // Bytes behind a revision's end are not covered by its signature, so no object of it may reach there.
  if (end > view.revision.eof) throw damaged(`object ${number} lies outside of its revision`)
  return { ...object, place: { kind: 'file', start, end } }
}

/** Where an object that stands in the file begins and ends, the data of a stream included. */
async function extentOf(reader: PdfReader, object: PdfObject): Promise<{ start: number; end: number }> {
  if (object.place.kind !== 'file') throw damaged('an object is not where it should be')
  const { start, end } = object.place
  return object.value.kind === 'stream' ? { start, end: (await reader.streamExtent(object.value)).end } : { start, end }
}

/** Stands for the trailer among the numbers of objects. */
export const TRAILER = -1

interface Reference {
  readonly from: number
  readonly revision: number
}

/** Who points to which object, in which revision. */
export class References {
  private readonly byTarget = new Map<number, Reference[]>()
  private readonly effort: Effort
  private count = 0

  constructor(effort: Effort) {
    this.effort = effort
  }

  /** Remembers all references inside a value, and says whether a signature dictionary is among what it saw. */
  note({ from, revision, value }: Reference & { value: PdfValue }): { hasSignature: boolean; isSignature: boolean } {
    const open: PdfValue[] = [value]
    let hasSignature = false
    let values = 0
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      values++
      if (next.kind === 'ref') this.add(next.number, { from, revision })
      else if (next.kind === 'array') for (const item of next.items) open.push(item)
      else if (next.kind === 'stream') open.push(next.dict)
      else if (next.kind === 'dict') {
        for (const { value: item } of next.entries.values()) open.push(item)
        hasSignature ||= looksLikeSignature(next)
      }
    }
    this.effort.spend(values)
    return { hasSignature, isSignature: value.kind === 'dict' && looksLikeSignature(value) }
  }

  private add(target: number, reference: Reference): void {
    if (++this.count > MAX_REFERENCES) throw tooComplex('it has too many references')
    const known = this.byTarget.get(target)
    const last = known?.at(-1)
    if (known === undefined) this.byTarget.set(target, [reference])
    else if (last?.from !== reference.from || last.revision !== reference.revision) known.push(reference)
  }

  /** The objects that pointed to this one in any revision before the one given. */
  before(target: number, revision: number): number[] {
    return (this.byTarget.get(target) ?? []).filter((known) => known.revision < revision).map(({ from }) => from)
  }
}

function looksLikeSignature(dict: PdfDict): boolean {
  if (dict.entries.has('ByteRange')) return true
  const type = entry(dict, 'Type')
  return isName(type, 'DocTimeStamp') || (isName(type, 'Sig') && dict.entries.has('Contents'))
}
