// Puts a signature into a field, which may stand there already or be made on the way.
import { addAppearance, type Appearance } from './appearance.ts'
import type { DictEdit } from './edit.ts'
import { addField, editForm, getEmptyField, requireFreeName, showNothing, type NewField } from './fields.ts'
import type { Form, SignatureField } from './form.ts'
import { readLock, type Lock } from './lock.ts'
import { findPageOf, toBox, type Rotation } from './page.ts'
import type { PdfReader } from './reader.ts'
import type { Update } from './update.ts'
import { LARGE_AREA } from './validate/field-rules.ts'
import { entry } from './value.ts'
import { reference, type ObjectId } from './write.ts'

export interface FieldToFill {
  /** An empty field by its name, or a new one. */
  readonly field: string | NewField
  readonly appearance?: Appearance
}

/** Puts the signature into its field and shows it there; answers with the lock that the field asks for. */
export async function fillField(
  update: Update,
  form: Form,
  signature: ObjectId,
  options: FieldToFill,
): Promise<Lock | undefined> {
  const { field } = options
  if (typeof field === 'string') {
    const isFirst = form.signatureFields.every((other) => other.signature === undefined)
    return fillExisting(update, getEmptyField(form.signatureFields, field), signature, { ...options, isFirst })
  }
  requireFreeName(form.names, field.name)
  const added = await addField(update, field)
  added.edit.set('V', reference(signature))
  if (added.placement === undefined || options.appearance === undefined) showNothing(update, added)
  else await show(update, added.edit, options.appearance, { ...added.placement, rotation: added.page.rotation })
  return field.lock
}

async function fillExisting(
  update: Update,
  field: SignatureField,
  signature: ObjectId,
  options: FieldToFill & { isFirst: boolean },
): Promise<Lock | undefined> {
  const edit = await update.editDict(field.ref)
  edit.set('V', reference(signature))
  await editForm(update)
  const [widget] = field.widgets
  if (widget !== undefined) await showInWidget(update, widget, options)
  return readLock(update.reader, await update.reader.findDict(field.dict, 'Lock'))
}

async function showInWidget(
  update: Update,
  { ref, dict }: SignatureField['widgets'][number],
  { appearance, isFirst }: { appearance?: Appearance; isFirst: boolean },
): Promise<void> {
  const shown = await shownSize(update.reader, dict)
  if (shown === undefined) return
  // Whoever checks the file would have to take it for a cover over what the others signed, whatever it shows.
  if (!isFirst && shown.width * shown.height > LARGE_AREA) (await update.editDict(ref)).remove('AP')
  else if (appearance !== undefined) await show(update, await update.editDict(ref), appearance, shown)
}

type Size = { width: number; height: number; rotation: Rotation }

async function show(update: Update, widget: DictEdit, appearance: Appearance, size: Size): Promise<void> {
  // Before 1.5 there is either no transparency at all or PDF/A-1, which forbids it (ISO 19005-1, 6.4).
  const mayBeTransparent = (await update.reader.version()) > '1.4'
  widget.set('AP', `<< /N ${reference(addAppearance(update, appearance, { ...size, mayBeTransparent }))} >>`)
}

/** The size of a widget as a person sees it; undefined where it is invisible. */
async function shownSize(reader: PdfReader, widget: SignatureField['dict']): Promise<Size | undefined> {
  const box = await toBox(reader, await reader.get(widget, 'Rect'))
  if (box === undefined || box.right - box.left <= 0 || box.top - box.bottom <= 0) return undefined
  const page = await findPageOf(reader, entry(widget, 'P'))
  const rotation = page?.rotation ?? 0
  const [across, up] = [box.right - box.left, box.top - box.bottom]
  return rotation % 180 === 0 ? { width: across, height: up, rotation } : { width: up, height: across, rotation }
}
