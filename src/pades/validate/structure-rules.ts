// The frame of a later revision: trailer, cross-reference, object streams, and bytes that belong to nothing.
import { isWhitespace } from '../parser.ts'
import { isName, entry, type PdfDict } from '../value.ts'
import type { XrefSection } from '../xref.ts'
import { readEntry } from './inventory.ts'
import { isSameValue } from './same-value.ts'
import type { Change, Step } from './step.ts'

/** Keys of a trailer or cross-reference stream that describe the section and not the document (7.5.5, 7.5.8.2). */
const SECTION_KEYS = new Set(['Size', 'Prev', 'ID', 'Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms'])

/** The trailer names the same document as before. */
export function explainTrailer(step: Step): void {
  const [before, after] = [step.before.trailer, step.after.trailer]
  for (const key of new Set([...before.entries.keys(), ...after.entries.keys()])) {
    if (SECTION_KEYS.has(key) || isSameValue(entry(before, key), entry(after, key))) continue
    step.refuse(`A later revision changes what the document is (/${key} of its trailer).`)
  }
  if (!hasSameOrigin(before, after)) step.refuse('A later revision claims to be another document.')
}

/** The first half of /ID names the document for good (14.4). */
function hasSameOrigin(before: PdfDict, after: PdfDict): boolean {
  const [one, other] = [entry(before, 'ID'), entry(after, 'ID')]
  if (one?.kind !== 'array' || other?.kind !== 'array') return isSameValue(one, other)
  return other.items.length === 2 && isSameValue(one.items[0], other.items[0])
}

/** Streams that only carry the revision's own objects and cross-reference. */
export async function explainStructureStreams(step: Step): Promise<void> {
  const sections = step.view.revision.sections
  for (const { number, after } of step.changes.values()) {
    if (after?.value.kind !== 'stream' || !step.isNew(number)) continue
    const { dict } = after.value
    if (sections.some(({ streamNumber }) => streamNumber === number)) step.claim(number)
    else if (isName(entry(dict, 'Type'), 'ObjStm') && (await isFullyListed(step, number, dict))) step.claim(number)
  }
}

/** Each object of the stream is one that the cross-reference takes from there. */
async function isFullyListed(step: Step, streamNumber: number, dict: PdfDict): Promise<boolean> {
  if (dict.entries.has('Extends')) return false
  const { numbers } = await step.after.objectStream(streamNumber)
  return numbers.every((number, index) => {
    const found = step.view.entries.get(number)
    return found?.kind === 'compressed' && found.streamNumber === streamNumber && found.index === index
  })
}

interface Extent {
  readonly start: number
  readonly end: number
}

/**
 * Every byte of the revision is part of an object that its cross-reference names, of that cross-reference, or white
 * space. Otherwise it could carry objects for readers that look for them by themselves.
 */
export async function explainBytes(step: Step, bytes: Buffer): Promise<void> {
  const { revision } = step.view
  const extents: Extent[] = revision.sections.map(({ offset }) => ({ start: offset, end: revision.eof }))
  for (const [number, found] of step.view.entries) {
    if (found.kind !== 'offset' || isSection(revision.sections, number)) continue
    const object = await readEntry(step.view, number, found)
    if (object?.place.kind !== 'file') continue
    if (object.place.start >= revision.start) extents.push(object.place)
    else if (!(await isWhereItWas(step, number, found.offset))) {
      step.refuse('A later revision brings back an object that was out of use.')
    }
  }
  if (!isGapless(extents, revision.start, bytes)) step.refuse('A later revision holds bytes that belong to nothing.')
}

const isSection = (sections: readonly XrefSection[], number: number) =>
  sections.some(({ streamNumber }) => streamNumber === number)

async function isWhereItWas(step: Step, number: number, offset: number): Promise<boolean> {
  const before = await step.before.findEntry(number)
  return before?.kind === 'offset' && before.offset === offset
}

function isGapless(extents: Extent[], from: number, bytes: Buffer): boolean {
  let at = from
  for (const { start, end } of extents.sort((one, other) => one.start - other.start)) {
    if (start < at || !bytes.subarray(at, start).every(isWhitespace)) return false
    at = end
  }
  return true
}

/** Whatever no rule has claimed, in words. */
export function refuseTheRest(step: Step): void {
  const left = [...step.changes.values()].filter(({ number }) => !step.isClaimed(number))
  for (const kind of new Set(left.map(describe))) step.refuse(kind)
}

function describe({ before, after }: Change): string {
  const value = (before ?? after)?.value
  const dict = value?.kind === 'stream' ? value.dict : value?.kind === 'dict' ? value : undefined
  const type = dict && (nameAt(dict, 'Type') ?? nameAt(dict, 'Subtype'))
  const what = type === undefined ? 'an object' : `an object of the kind “${type}”`
  if (after === undefined) return `A later revision removes ${what}.`
  return before === undefined
    ? `A later revision adds ${what} for no reason that is allowed.`
    : `A later revision changes ${what}.`
}

function nameAt(dict: PdfDict, key: string): string | undefined {
  const value = entry(dict, key)
  return value?.kind === 'name' ? value.value : undefined
}
