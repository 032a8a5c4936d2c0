// Looks at an uploaded document before anybody is asked to sign it: can it be signed, and what is in it?
// Runs on files of strangers, so everything is bounded; a process that serves requests calls it through `apart/intake.ts`.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { collectActiveContent, type ActiveContent } from './active-content.ts'
import { requireFinishable, type DocumentLoad } from './finishable.ts'
import { findCertification, readForm, type Form } from './form.ts'
import type { Limits } from './limits.ts'
import { countPages, getPage } from './page.ts'
import { numbersOf, openPdf, type PdfReader } from './reader.ts'
import { damaged, PdfRefused } from './refused.ts'
import { listRevisions } from './revisions.ts'
import type { Source } from './source.ts'
import { asInteger, entry } from './value.ts'
import { Effort, READER_LIMITS } from './validate/bounds.ts'
import type { XrefEntry } from './xref.ts'

export interface IntakeOptions {
  /** 'allow' lets scripts and the like pass; they are named in the facts. */
  readonly activeContent?: 'refuse' | 'allow'
  readonly limits?: Partial<Limits>
  /** How many people will sign it; 1 unless said otherwise. */
  readonly signatories?: number
}

/** A document that can be signed as it is. */
export interface PdfFacts {
  readonly needsNormalising: false
  readonly version: string
  readonly sizeBytes: number
  readonly pageCount: number
  /** In the order of the form; document timestamps are among them. */
  readonly signatures: readonly { readonly fieldName: string; readonly subFilter: string }[]
  readonly emptySignatureFields: readonly string[]
  /** 2 or 3, where the document has been certified. */
  readonly certification: 2 | 3 | undefined
  readonly activeContent: readonly ActiveContent[]
}

/** A document that has to be written anew before its first signature. */
export interface NeedsNormalising {
  readonly needsNormalising: true
  readonly reason: 'damaged' | 'hybrid' | 'encrypted' | 'usage-rights'
  readonly message: string
  readonly sizeBytes: number
}

const REPAIRABLE: ReadonlySet<string> = new Set(['damaged', 'hybrid', 'encrypted', 'usage-rights'])
const OBJECTS_BETWEEN_TURNS = 250
/** What is signed must be judged afterwards: no document may take up more than this of what a validator spends. */
const SHARE_OF_DOCUMENT = 0.6

export type CheckPdf = (source: Source, options?: IntakeOptions) => Promise<PdfFacts | NeedsNormalising>

/** The facts about a document, or a typed refusal that says in plain words why it can't be signed. */
export async function checkPdf(source: Source, options: IntakeOptions = {}): Promise<PdfFacts | NeedsNormalising> {
  try {
    return await readFacts(source, options)
  } catch (error) {
    if (error instanceof PdfRefused && REPAIRABLE.has(error.reason)) return whetherToNormalise(source, error)
    throw error
  }
}

async function readFacts(
  source: Source,
  { activeContent = 'refuse', limits = READER_LIMITS, signatories = 1 }: IntakeOptions,
): Promise<PdfFacts> {
  const reader = await openPdf(source, limits)
  const pageCount = await countPages(reader)
  if (pageCount === 0) throw new PdfRefused('page', 'This PDF has no pages.')
  await requireLastPage(reader, pageCount)
  await requireNoUsageRights(reader)
  const certification = await findCertification(reader)
  if (certification === 1) {
    throw new PdfRefused('certified', 'This PDF has been certified against any change, so it cannot be signed.')
  }
  const effort = new Effort(SHARE_OF_DOCUMENT)
  const found = await findActiveContent(reader, effort)
  if (found.length > 0 && activeContent === 'refuse') throw containsActiveContent(found)
  const form = await readForm(reader)
  const signing = listSignatures(form)
  if (signing.signatures.length === 0) requireFullCount(reader)
  await readReplaced(reader, effort)
  requireFinishable(await measureLoad(reader, form, effort), signatories)
  return {
    needsNormalising: false,
    version: await reader.version(),
    sizeBytes: source.size,
    pageCount,
    ...signing,
    certification,
    activeContent: found,
  }
}

/**
 * Rights that a form program granted (12.8.2.3) are a signature that no field shows, of the program's maker and about what
 * the program may do; any change breaks it.
 */
async function requireNoUsageRights(reader: PdfReader): Promise<void> {
  const permissions = await reader.findDict(await reader.catalog(), 'Perms')
  if (permissions?.entries.has('UR3') !== true && permissions?.entries.has('UR') !== true) return
  throw withUsageRights()
}

export const withUsageRights = () =>
  new PdfRefused(
    'usage-rights',
    'This PDF carries usage rights for a certain program. Print it to a new PDF and try again.',
  )

/** Most readers do not mind; strict ones refuse the file, and with it every signature that we would put into it. */
function requireFullCount({ sections }: PdfReader): void {
  const isShort = sections.some(({ trailer, size }) => (asInteger(entry(trailer, 'Size')) ?? size) < size)
  if (isShort) throw damaged('it has more objects than it says')
}

async function requireLastPage(reader: PdfReader, pageCount: number): Promise<void> {
  try {
    await getPage(reader, pageCount)
  } catch (error) {
    if (error instanceof PdfRefused && error.reason === 'page') throw damaged('it has fewer pages than it says')
    throw error
  }
}

function listSignatures({ signatureFields }: Form): Pick<PdfFacts, 'signatures' | 'emptySignatureFields'> {
  const signatures: { fieldName: string; subFilter: string }[] = []
  const emptySignatureFields: string[] = []
  for (const { name, signature } of signatureFields) {
    if (signature === undefined) emptySignatureFields.push(name)
    else signatures.push({ fieldName: name, subFilter: nameAt(signature, 'SubFilter') })
  }
  return { signatures, emptySignatureFields }
}

function nameAt(dict: Parameters<typeof entry>[0], key: string): string {
  const value = entry(dict, key)
  return value?.kind === 'name' ? value.value : ''
}

function containsActiveContent(found: readonly ActiveContent[]): PdfRefused {
  const list = new Intl.ListFormat('en').format(found)
  return new PdfRefused(
    'active-content',
    `This PDF contains ${list}, which a document to be signed must not have.`,
    list,
  )
}

/** Reads every object once, which also proves that every one of them can be read. */
async function findActiveContent(reader: PdfReader, effort: Effort): Promise<ActiveContent[]> {
  const found = new Set<ActiveContent>()
  let objects = 0
  for (const number of await numbersByPlace(reader)) {
    if (++objects % OBJECTS_BETWEEN_TURNS === 0) await nextTurn()
    const object = await reader.findObject(number)
    if (object === undefined) continue
    effort.spendObject()
    effort.spend(collectActiveContent(object.value, found))
    if (object.value.kind === 'stream') await reader.streamExtent(object.value)
  }
  return [...found]
}

/** What later saves have replaced is read by whoever checks the signed file, so it has to be readable and counts. */
async function readReplaced(reader: PdfReader, effort: Effort): Promise<void> {
  const seen = new Set<number>()
  let objects = 0
  for (const { sectionIndex, sections } of (await listRevisions(reader)).reverse()) {
    const then = reader.atSection(sectionIndex)
    for (const number of sections.flatMap((section) => [...numbersOf(section)])) {
      const isReplaced = seen.has(number)
      seen.add(number)
      if (!isReplaced) continue
      if (++objects % OBJECTS_BETWEEN_TURNS === 0) await nextTurn()
      effort.spendObject()
      const object = await then.findObject(number)
      if (object === undefined) continue
      effort.spend(collectActiveContent(object.value, new Set()))
      if (object.value.kind === 'stream') await then.streamExtent(object.value)
    }
  }
}

async function measureLoad(reader: PdfReader, form: Form, { spent }: Effort): Promise<DocumentLoad> {
  const { source, sections, budget } = reader
  return {
    sizeBytes: source.size,
    sections: sections.length,
    signatures: form.signatureFields.filter(({ signature }) => signature !== undefined).length,
    fields: form.objects.size,
    effort: spent,
    parsedBytes: budget.parsedBytes,
    inflatedBytes: budget.inflatedBytes,
    rewritten: await measureRewritten(reader),
  }
}

/** The objects that change whenever a signature field is added. */
async function measureRewritten(reader: PdfReader): Promise<{ values: number; bytes: number }> {
  const catalog = await reader.catalog()
  const form = await reader.findDict(catalog, 'AcroForm')
  const page = await getPage(reader, 1)
  const lists = [entry(catalog, 'AcroForm'), form && entry(form, 'Fields'), entry(page.dict, 'Annots')]
  let [values, bytes] = [0, 0]
  for (const ref of [reader.rootRef, page.ref, ...lists.filter((value) => value?.kind === 'ref')]) {
    const value = await reader.resolve(ref)
    if (value === undefined) continue
    values += collectActiveContent(value, new Set())
    bytes += value.end - value.start
  }
  return { values, bytes }
}

/** In the order in which they stand, so that each object stream is unpacked once. */
async function numbersByPlace(reader: PdfReader): Promise<number[]> {
  const places: { number: number; place: number; index: number }[] = []
  for await (const { number, entry: found } of reader.listObjects()) places.push({ number, ...placeOf(found) })
  return places.sort((a, b) => a.place - b.place || a.index - b.index).map(({ number }) => number)
}

function placeOf(found: XrefEntry): { place: number; index: number } {
  if (found.kind === 'compressed') return { place: found.streamNumber, index: found.index }
  return { place: -1, index: found.kind === 'offset' ? found.offset : 0 }
}

/**
 * Writing a document anew destroys its signatures, so one that may carry some is refused instead. The one signature that
 * grants usage rights is nobody's word about the content, and is left out.
 */
async function whetherToNormalise(source: Source, refusal: PdfRefused): Promise<NeedsNormalising> {
  const signatures = await countByteRanges(source)
  if (refusal.reason === 'usage-rights' && signatures > 1) throw refusal
  if (refusal.reason !== 'usage-rights' && signatures > 0) {
    throw new PdfRefused(
      'signed-and-damaged',
      'This PDF carries signatures and cannot be signed as it is; repairing it would destroy them.',
      refusal.detail,
    )
  }
  return {
    needsNormalising: true,
    reason: refusal.reason as NeedsNormalising['reason'],
    message: refusal.message,
    sizeBytes: source.size,
  }
}

const MARK = Buffer.from('/ByteRange')

/** A signature's byte range stands in plain bytes: it is filled in after everything else, so it can't be compressed. */
export async function countByteRanges(source: Source): Promise<number> {
  let count = 0
  let carried = Buffer.alloc(0)
  for await (const chunk of source.chunks(0, source.size)) {
    const bytes = Buffer.concat([carried, chunk])
    for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at + 1)) count++
    // One byte less than the mark: what was counted can't be counted again.
    carried = Buffer.from(bytes.subarray(-(MARK.length - 1)))
  }
  return count
}
