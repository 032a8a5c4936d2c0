// The form of a later revision: new signature fields, existing ones signed, ordinary ones filled in.
import { asInteger, entry, isName, type PdfArray, type PdfDict, type PdfValue } from '../value.ts'
import { explainFilling, explainSigning } from './field-rules.ts'
import type { FormField } from './fields.ts'
import { explainNewField } from './new-field-rules.ts'
import { changedKeys, isSameValue } from './same-value.ts'
import type { Step } from './step.ts'

const NEW_FORM_KEYS = new Set(['Fields', 'SigFlags', 'DA', 'DR'])

/** Explains what happened to /AcroForm of the catalog and to all fields. */
export async function explainForm(step: Step, catalogs: { before: PdfDict; after: PdfDict }): Promise<void> {
  const [before, after] = [entry(catalogs.before, 'AcroForm'), entry(catalogs.after, 'AcroForm')]
  const [old, form] = [await step.before.resolve(before), await step.after.resolve(after)]
  if (old === undefined && form === undefined) return
  if (form?.kind !== 'dict' || (old !== undefined && old.kind !== 'dict')) {
    return step.refuse('A later revision damages the form of the document.')
  }
  if (!(await isFormKept(step, old, form)) || !isOwnForm(step, before, after)) {
    return step.refuse('A later revision changes the form of the document.')
  }
  if (after?.kind === 'ref') step.claim(after.number)
  await explainFields(step)
}

/** A form that is written anew in place must not serve anything but the catalog. */
function isOwnForm(step: Step, before: PdfValue | undefined, after: PdfValue | undefined): boolean {
  if (after?.kind !== 'ref' || !step.changes.has(after.number)) return true
  if (!isSameValue(before, after)) return step.isNew(after.number)
  return step.isKnownOnlyTo(after.number, new Set([step.before.rootRef.number]))
}

async function isFormKept(step: Step, before: PdfDict | undefined, after: PdfDict): Promise<boolean> {
  if (before === undefined) {
    await step.claimNew(entry(after, 'DR'))
    return [...after.entries.keys()].every((key) => NEW_FORM_KEYS.has(key)) && isFlagged(after)
  }
  for (const key of changedKeys(before, after)) {
    if (key === 'Fields') continue
    if (key === 'SigFlags' && isFlagged(after) && isRaised(before, after)) continue
    // Readers that were to draw the fields anew no longer are (12.7.3), which signing requires.
    const value = entry(after, key)
    if (key === 'NeedAppearances' && (value === undefined || (value.kind === 'boolean' && !value.value))) continue
    return false
  }
  return isListKept(step, { owner: before, key: 'Fields' }, entry(after, 'Fields'))
}

const isFlagged = (form: PdfDict) => {
  const flags = asInteger(entry(form, 'SigFlags'))
  return flags !== undefined && flags >= 1 && flags <= 3
}

/** Flags that say “there are signatures” and “only append” are not taken back. */
const isRaised = (before: PdfDict, after: PdfDict) => {
  const [old, now] = [asInteger(entry(before, 'SigFlags')) ?? 0, asInteger(entry(after, 'SigFlags')) ?? 0]
  return (now & old) === old
}

/** The old items are all there, in order and before any new one. Claims the array where it is an object of its own. */
async function isListKept(
  step: Step,
  { owner, key }: { owner: PdfDict; key: string },
  after: PdfValue | undefined,
): Promise<boolean> {
  const before = entry(owner, key)
  const [old, grown] = [await step.before.resolve(before), await step.after.resolve(after)]
  if ((old !== undefined && old.kind !== 'array') || (grown !== undefined && grown.kind !== 'array')) return false
  if (!startsWith(grown, old)) return false
  if (after?.kind === 'ref' && step.changes.has(after.number)) {
    const isOwn = isSameValue(before, after) ? hasOneReferrer(step, after.number) : step.isNew(after.number)
    if (!isOwn) return false
    step.claim(after.number)
  }
  return true
}

const hasOneReferrer = (step: Step, number: number) => step.countReferrers(number) <= 1

const startsWith = (grown: PdfArray | undefined, old: PdfArray | undefined) =>
  (old?.items ?? []).every((item, index) => isSameValue(item, grown?.items[index]))

async function explainFields(step: Step): Promise<void> {
  const before = new Map((await step.viewBefore.fields()).map((field) => [field.ref.number, field]))
  for (const field of await step.view.fields()) {
    const known = before.get(field.ref.number)
    if (known === undefined) await explainNewField(step, field)
    else if (isTouched(step, field)) await explainTouched(step, known, field)
  }
}

const isTouched = (step: Step, { ref, widgets }: FormField) =>
  step.changes.has(ref.number) || widgets.some((widget) => step.changes.has(widget.ref.number))

function explainTouched(step: Step, before: FormField, after: FormField): Promise<void> {
  return after.type === 'Sig' ? explainSigning(step, before, after) : explainFilling(step, before, after)
}

/** A page of a later revision: the widgets of new signature fields may join its annotations, nothing else changes. */
export async function explainPages(step: Step): Promise<void> {
  for (const { number, before, after } of step.changes.values()) {
    if (before?.value.kind !== 'dict' || after?.value.kind !== 'dict') continue
    if (!isName(entry(before.value, 'Type'), 'Page')) continue
    const keys = changedKeys(before.value, after.value)
    const isExplained =
      keys.every((key) => key === 'Annots') && (await explainAnnotations(step, before.value, after.value))
    if (!isExplained) step.refuse('A later revision changes a page.')
    step.claim(number)
  }
}

async function explainAnnotations(step: Step, before: PdfDict, after: PdfDict): Promise<boolean> {
  const list = await step.after.resolve(entry(after, 'Annots'))
  const old = await step.before.resolve(entry(before, 'Annots'))
  const kept = old?.kind === 'array' ? old.items.length : 0
  if (list?.kind !== 'array' || !(await isListKept(step, { owner: before, key: 'Annots' }, entry(after, 'Annots')))) {
    return false
  }
  return list.items.slice(kept).every((item) => item.kind === 'ref' && step.isNewWidget(item.number))
}

/** Arrays of annotations that are objects of their own can grow without their page being written again. */
export async function explainAnnotationLists(step: Step): Promise<void> {
  for (const { number, before, after } of step.changes.values()) {
    if (step.isClaimed(number) || before?.value.kind !== 'array' || after?.value.kind !== 'array') continue
    const old = before.value
    const added = after.value.items.slice(old.items.length)
    const isWidgets = added.every((item) => item.kind === 'ref' && step.isNewWidget(item.number))
    if (!startsWith(after.value, old) || !isWidgets || !hasOneReferrer(step, number)) continue
    if (await isAnnotationList(step, number)) step.claim(number)
  }
}

async function isAnnotationList(step: Step, number: number): Promise<boolean> {
  const [owner] = step.listReferrers(number)
  const page = owner === undefined ? undefined : (await step.before.findObject(owner))?.value
  if (page?.kind !== 'dict' || !isName(entry(page, 'Type'), 'Page')) return false
  const annotations = entry(page, 'Annots')
  return annotations?.kind === 'ref' && annotations.number === number
}
