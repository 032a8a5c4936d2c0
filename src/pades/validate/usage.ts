// Where else a field is used. A signed page could have been prepared to take a form field for one of its resources;
// then filling in the field would change the page.
import { entry, isName, type PdfValue } from '../value.ts'
import type { Step } from './step.ts'

/** Keys under which a form, a page, another field or the structure tree names a field. */
const FIELD_KEYS = new Set(['Fields', 'Annots', 'Kids', 'Parent', 'Obj', 'CO'])

/** True if, before the step, something took the object for anything but a field or an annotation. */
export async function isUsedElsewhere(step: Step, number: number): Promise<boolean> {
  for (const referrer of step.listReferrers(number)) {
    const object = await step.before.findObject(referrer)
    // An array of its own is read by whoever names it: as a list of fields, or as something that a field can't be.
    if (object !== undefined && object.value.kind !== 'array' && hasOddReference(object.value, number)) return true
  }
  return false
}

function hasOddReference(value: PdfValue, number: number): boolean {
  const open: { value: PdfValue; isField: boolean }[] = [{ value, isField: false }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: item, isField } = next
    if (item.kind === 'ref' && item.number === number && !isField) return true
    if (item.kind === 'array') for (const inner of item.items) open.push({ value: inner, isField })
    const dict = item.kind === 'stream' ? item.dict : item
    if (dict.kind !== 'dict') continue
    const isPageTree = isName(entry(dict, 'Type'), 'Pages')
    for (const [key, inner] of dict.entries) {
      open.push({ value: inner.value, isField: FIELD_KEYS.has(key) && !isPageTree })
    }
  }
  return false
}
