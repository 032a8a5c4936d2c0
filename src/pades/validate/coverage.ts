// What a signature covers (ISO 32000-2, 12.8.1): everything up to the end of its own revision but for the hexadecimal
// string that holds it, and nothing else. Forgeries live off any tolerance here, so there is none.
import type { PdfObject } from '../reader.ts'
import { isWhitespace } from '../parser.ts'
import { asInteger, entry, rawBytes, type PdfDict, type PdfString } from '../value.ts'
import type { Inventory, RevisionView } from './inventory.ts'
import type { Candidate } from './locate.ts'

export interface CoveredSignature {
  readonly fieldName: string
  readonly number: number
  readonly dict: PdfDict
  readonly contents: Buffer
  /** The revision that the signature belongs to and covers. */
  readonly view: RevisionView
  /** The signed bytes: from 0 to `before` and from `after` to `end`. */
  readonly before: number
  readonly after: number
  readonly end: number
}

class NotCovered extends Error {}

const refuse = (message: string) => new NotCovered(message)

/** The signature with its bytes, or in plain words why it covers nothing that could be relied upon. */
export async function findCoverage(
  { fieldName, number }: Candidate,
  inventory: Inventory,
  bytes: Buffer,
): Promise<CoveredSignature | { readonly problem: string; readonly dict?: PdfDict }> {
  const last = inventory.views.at(-1) as RevisionView
  const object = number === undefined ? undefined : await last.reader.findObject(number)
  if (object?.value.kind !== 'dict' || number === undefined) return { problem: 'The signature is missing.' }
  const dict = object.value
  try {
    const range = readRange(dict, bytes)
    const view = findRevision(range.end, inventory, bytes)
    requireOwnRevision(object, view, inventory)
    await requireField({ fieldName, number }, view)
    return { fieldName, number, dict, view, ...range }
  } catch (error) {
    if (error instanceof NotCovered) return { problem: error.message, dict }
    throw error
  }
}

function readRange(dict: PdfDict, bytes: Buffer) {
  const contents = readContents(dict)
  const range = entry(dict, 'ByteRange')
  const numbers = range?.kind === 'array' ? range.items.map(asInteger) : []
  const [start, before, after, rest] = numbers
  if (numbers.length !== 4 || before === undefined || after === undefined || rest === undefined) {
    throw refuse('The range of signed bytes is missing or malformed.')
  }
  if (start !== 0 || rest < 0 || after + rest > bytes.length) {
    throw refuse('The range of signed bytes does not fit the file.')
  }
  if (before !== contents.start || after !== contents.end) {
    throw refuse('The signed bytes leave out something else than the signature itself.')
  }
  return { contents: contents.bytes, before, after, end: after + rest }
}

function readContents(dict: PdfDict): PdfString {
  const contents = entry(dict, 'Contents')
  if (contents?.kind !== 'string' || !contents.isHex || !contents.origin.inFile || contents.bytes.length === 0) {
    throw refuse('The signature value is missing or malformed.')
  }
  // The gap is not signed: white space in it, or half a byte, would be room to hide something.
  if (!isPlainHex(rawBytes(contents))) throw refuse('The signature value is not plain hexadecimal.')
  return contents
}

function isPlainHex(raw: Buffer): boolean {
  return raw.length % 2 === 0 && /^<[0-9a-fA-F]+>$/.test(raw.toString('latin1'))
}

/** The revision whose end is the end of the signed bytes; white space after %%EOF may be signed or not. */
function findRevision(end: number, { views }: Inventory, bytes: Buffer): RevisionView {
  const view = views.findLast(({ revision }) => revision.eof <= end)
  if (view === undefined || !bytes.subarray(view.revision.eof, end).every(isWhitespace)) {
    throw refuse('The signed bytes do not end where a revision of the document ends.')
  }
  return view
}

/** The dictionary stands in the revision that it covers, and is still the one that every later revision shows. */
function requireOwnRevision(object: PdfObject, view: RevisionView, { views }: Inventory): void {
  const { place, number } = object
  const own = view.entries.get(number)
  if (place.kind !== 'file' || own?.kind !== 'offset' || own.offset !== place.start) {
    throw refuse('The signature does not stand in the revision that it covers.')
  }
  const later = views.slice(view.revision.index + 1)
  if (place.start < view.revision.start || later.some(({ entries }) => entries.has(number))) {
    throw refuse('A later revision has replaced the signature.')
  }
}

async function requireField({ fieldName, number }: { fieldName: string; number: number }, view: RevisionView) {
  const fields = await view.fields()
  const field = fields.find(({ value }) => value?.kind === 'ref' && value.number === number)
  if (field === undefined || field.name !== fieldName || field.type !== 'Sig') {
    throw refuse('The field did not show this signature when it was made.')
  }
}
