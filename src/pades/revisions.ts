// The revisions of a document: what each save appended, and where it ended.
import { isWhitespace } from './characters.ts'
import type { PdfReader } from './reader.ts'
import { damaged } from './refused.ts'
import { asInteger, dictOf, entry } from './value.ts'
import { parseAt, parseIndirectObject } from './window.ts'
import type { XrefSection } from './xref.ts'

export interface PdfRevision {
  /** 0 is the document as first written. */
  readonly index: number
  /** Its newest section in `PdfReader.sections`; `reader.atSection(sectionIndex)` shows the document as it was. */
  readonly sectionIndex: number
  /** One section; a linearised document begins with two. */
  readonly sections: readonly XrefSection[]
  /** Where the revision before it ended. */
  readonly start: number
  /** After `%%EOF`. */
  readonly eof: number
  /** After `%%EOF` and the end of line that may follow it. */
  readonly end: number
}

/** All revisions, oldest first. Refused where a section is not closed by its own `startxref` and `%%EOF`. */
export async function listRevisions(reader: PdfReader): Promise<PdfRevision[]> {
  const revisions: PdfRevision[] = []
  let sectionIndex = reader.sections.length - 1
  if (await isLinearised(reader)) {
    sectionIndex--
    revisions.push(await linearisedRevision(reader, sectionIndex))
    sectionIndex--
  }
  for (; sectionIndex >= 0; sectionIndex--) {
    revisions.push(await plainRevision(reader, sectionIndex, revisions.at(-1)?.end ?? 0, revisions.length))
  }
  return revisions
}

/** In a linearised file the first section points forward to the second, which no later save can do. */
async function isLinearised({ sections }: PdfReader): Promise<boolean> {
  const [oldest, second] = sections.slice(-2).reverse()
  return oldest !== undefined && second !== undefined && second.offset < oldest.offset
}

async function linearisedRevision(reader: PdfReader, sectionIndex: number): Promise<PdfRevision> {
  const first = await parseAt(reader.source, await afterHeader(reader), reader.budget, parseIndirectObject)
  const parameters = dictOf(first.value)
  const length = parameters === undefined ? undefined : asInteger(entry(parameters, 'L'))
  if (parameters === undefined || entry(parameters, 'Linearized') === undefined || length === undefined) {
    throw damaged('its list of changes is out of order')
  }
  const sections = reader.sections.slice(sectionIndex, sectionIndex + 2)
  const eof = await closingBefore(reader, length, sections[0] as XrefSection)
  if (sections.some((section) => section.end > eof)) throw damaged('its list of changes is out of order')
  return { index: 0, sectionIndex, sections, start: 0, eof, end: await afterLineEnd(reader, eof) }
}

async function afterHeader(reader: PdfReader): Promise<number> {
  return parseAt(reader.source, 0, reader.budget, (parser) => {
    parser.skipSpace()
    return parser.position
  })
}

/** /L of the linearisation parameters is the length of the file as it was first written (annex F.3.3). */
async function closingBefore({ source }: PdfReader, length: number, section: XrefSection): Promise<number> {
  const from = Math.max(0, length - 64)
  const text = (await source.read(from, length - from)).toString('latin1')
  const match = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)
  if (match === null || !pointsTo(Number(match[1]), section)) throw damaged('the length that it names is wrong')
  return from + text.lastIndexOf('%%EOF') + 5
}

async function plainRevision(
  reader: PdfReader,
  sectionIndex: number,
  start: number,
  index: number,
): Promise<PdfRevision> {
  const section = reader.sections[sectionIndex] as XrefSection
  if (section.offset < start) throw damaged('its list of changes is out of order')
  const eof = await closingAfter(reader, section)
  return { index, sectionIndex, sections: [section], start, eof, end: await afterLineEnd(reader, eof) }
}

async function closingAfter(reader: PdfReader, section: XrefSection): Promise<number> {
  const text = (await reader.source.read(section.end, 256)).toString('latin1')
  const match = /^(?:[\0\t\n\f\r ]|%[^\r\n]*[\r\n])*startxref[\0\t\n\f\r ]+(\d{1,15})[\0\t\n\f\r ]+%%EOF/.exec(text)
  if (match === null || !pointsTo(Number(match[1]), section))
    throw damaged('one of its saved changes does not end properly')
  return section.end + match[0].length
}

/** White space between the place named and the section itself does no harm. */
const pointsTo = (offset: number, section: XrefSection) => section.offset <= offset && offset <= section.start

async function afterLineEnd({ source }: PdfReader, eof: number): Promise<number> {
  const [first, second] = await source.read(eof, 2)
  if (first === 13 && second === 10) return eof + 2
  return first !== undefined && isWhitespace(first) && first !== 0 && first !== 32 ? eof + 1 : eof
}
