// Signature fields: made empty and named before the first signature, then filled one after the other.
import type { DictEdit } from './edit.ts'
import { readFieldNames, type SignatureField } from './form.ts'
import { lockEntries, type Lock } from './lock.ts'
import { getPage, placeOnPage, type Box, type Page, type Placement } from './page.ts'
import { openPdf } from './reader.ts'
import { PdfRefused } from './refused.ts'
import type { Source } from './source.ts'
import { Update } from './update.ts'
import { decimal, reference, textString, type ObjectId } from './write.ts'

const MAX_FIELDS_AT_ONCE = 200
const MAX_NAME_CHARACTERS = 200

export interface NewField {
  readonly name: string
  /** Counted from 1; the first page unless said otherwise. */
  readonly page?: number
  /** Where it shows; without it the field is invisible. */
  readonly placement?: Placement
  readonly lock?: Lock
}

/** The bytes that add the fields to a document. */
export async function createSignatureFields(source: Source, fields: readonly NewField[]): Promise<Buffer> {
  if (fields.length > MAX_FIELDS_AT_ONCE)
    throw new PdfRefused('field', 'These are too many signature fields for one document.')
  const update = new Update(await openPdf(source))
  const names = new Set(await readFieldNames(update.reader))
  for (const field of fields) {
    requireFreeName(names, field.name)
    names.add(field.name)
    showNothing(update, await addField(update, field))
  }
  return update.build().bytes
}

export function requireFreeName(names: ReadonlySet<string>, name: string): void {
  if (name === '' || name.length > MAX_NAME_CHARACTERS || name.includes('.')) {
    throw new PdfRefused('field', `“${name}” cannot be the name of a signature field.`)
  }
  if (names.has(name)) throw new PdfRefused('field', `This PDF already has a field called “${name}”.`)
}

export interface AddedField {
  readonly id: ObjectId
  readonly edit: DictEdit
  readonly page: Page
  /** As a person sees it; undefined where the field is invisible. */
  readonly placement: Placement | undefined
}

/** Adds one field with its widget to page and form. What it holds can still be set on the edit. */
export async function addField(
  update: Update,
  { name, page: pageNumber = 1, placement, lock }: NewField,
): Promise<AddedField> {
  const page = await getPage(update.reader, pageNumber)
  const id = update.allocate()
  const edit = update.newDict(id)
  edit.set('FT', '/Sig')
  edit.set('T', textString(name))
  edit.set('Type', '/Annot')
  edit.set('Subtype', '/Widget')
  // Print and Locked: it can't be moved by hand, and PDF/A wants every annotation printable.
  edit.set('F', '132')
  edit.set('P', reference(page.ref))
  edit.set('Rect', rectangle(placement === undefined ? undefined : placeOnPage(page, requireUsable(placement))))
  if (lock !== undefined) edit.set('Lock', reference(update.add(lockDictionary(lock))))
  const annotations = await update.childArray(await update.editDict(page.ref), 'Annots')
  annotations.add(reference(id))
  await addToForm(update, id)
  return { id, edit, page, placement }
}

function requireUsable(placement: Placement): Placement {
  const numbers = [placement.x, placement.y, placement.width, placement.height]
  const isUsable = numbers.every((number) => Number.isFinite(number) && Math.abs(number) <= 14_400)
  if (isUsable && placement.width > 0 && placement.height > 0) return placement
  throw new PdfRefused('field', 'A signature field needs a width and a height, and a place on the page.')
}

const rectangle = (box: Box | undefined) =>
  box === undefined ? '[0 0 0 0]' : `[${[box.left, box.bottom, box.right, box.top].map(decimal).join(' ')}]`

/** A visible widget without an appearance makes viewers invent one, which then looks like a change. */
export function showNothing(update: Update, { edit, placement }: AddedField): void {
  if (placement === undefined) return
  const box = `[0 0 ${decimal(placement.width)} ${decimal(placement.height)}]`
  const blank = update.addStream(`/Type /XObject /Subtype /Form /BBox ${box} /Resources << >>`, Buffer.alloc(0))
  edit.set('AP', `<< /N ${reference(blank)} >>`)
}

function lockDictionary(lock: Lock): string {
  return `<< /Type /SigFieldLock ${lockEntries(lock)} >>`
}

async function addToForm(update: Update, field: ObjectId): Promise<void> {
  const form = await editForm(update)
  const fields = await update.childArray(form, 'Fields')
  fields.add(reference(field))
}

/** The document's form, made if there is none, and marked as carrying signatures that allow only additions. */
export async function editForm(update: Update): Promise<DictEdit> {
  const catalog = await update.editDict(update.reader.rootRef)
  const form = await update.childDict(catalog, 'AcroForm')
  const flags = await update.reader.resolve(form.original('SigFlags'))
  if (flags?.kind !== 'number' || (flags.value & 3) !== 3) form.set('SigFlags', '3')
  // With it, viewers would draw fields anew after the signature (12.7.3), which is a change.
  const needsAppearances = await update.reader.resolve(form.original('NeedAppearances'))
  if (needsAppearances?.kind === 'boolean' && needsAppearances.value) form.set('NeedAppearances', 'false')
  return form
}

/** An empty signature field by its name. */
export function getEmptyField(fields: readonly SignatureField[], name: string): SignatureField {
  const field = fields.find((candidate) => candidate.name === name)
  if (field === undefined) throw new PdfRefused('field', `This PDF has no signature field called “${name}”.`)
  if (field.signatureRef !== undefined || field.signature !== undefined) {
    throw new PdfRefused('field', `The signature field “${name}” has already been signed.`)
  }
  return field
}
