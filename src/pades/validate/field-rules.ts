// Fields that were there before: a signature field may be signed once, an ordinary one be filled in. What they show
// stays within the rectangle that earlier signers saw.
import { toBox } from '../page.ts'
import { asInteger, entry, type PdfDict, type PdfValue } from '../value.ts'
import type { FormField } from './fields.ts'
import { isAppearance, isSignatureDict, noteSigned } from './new-field-rules.ts'
import { changedKeys } from './same-value.ts'
import type { Step } from './step.ts'
import { isUsedElsewhere } from './usage.ts'

const SIGNING_KEYS = new Set(['V', 'AP', 'F'])
const FILLING_KEYS = new Set(['V', 'AP', 'AS', 'I', 'M'])
/** ReadOnly, Locked and LockedContents (12.5.3): they only take something away. */
const LOCKING_FLAGS = 64 | 128 | 512

/** Explains an existing signature field that now holds a signature. */
export async function explainSigning(step: Step, before: FormField, after: FormField): Promise<void> {
  const { name } = after
  const value = after.value
  const wasEmpty = before.value === undefined
  if (!wasEmpty || value?.kind !== 'ref' || !step.isNew(value.number) || !(await isSignatureDict(step, value))) {
    return step.refuse(`A later revision changes the signature field “${name}”.`)
  }
  if (!(await explainObjects(step, before, after, SIGNING_KEYS))) return
  await step.claimNew(value)
  step.filledFields.push(name)
  await noteSigned(step, after)
}

/** Explains an ordinary field with a new value. */
export async function explainFilling(step: Step, before: FormField, after: FormField): Promise<void> {
  const { name, value } = after
  if (value !== undefined && !isPlainValue(value)) return step.refuse(`A later revision changes the field “${name}”.`)
  if (!(await explainObjects(step, before, after, FILLING_KEYS))) return
  step.filledFields.push(name)
  step.add('form-filling', `The field “${name}” was filled in.`)
}

function isPlainValue(value: PdfValue): boolean {
  if (value.kind === 'array') return value.items.every(isPlainValue)
  return value.kind === 'string' || value.kind === 'name' || value.kind === 'null'
}

async function explainObjects(
  step: Step,
  before: FormField,
  after: FormField,
  allowed: ReadonlySet<string>,
): Promise<boolean> {
  const earlier = new Map([before, ...before.widgets].map((part) => [part.ref.number, part.dict]))
  for (const { ref, dict } of [after, ...after.widgets]) {
    if (!step.changes.has(ref.number) || step.isClaimed(ref.number)) continue
    const old = earlier.get(ref.number)
    if (old === undefined || !isAllowed(old, dict, allowed) || (await isUsedElsewhere(step, ref.number))) {
      step.refuse(`A later revision changes the field “${after.name}” in other ways than by filling it in.`)
      return false
    }
    if (!(await isAppearance(step, entry(dict, 'AP')))) {
      step.refuse(`A later revision makes the field “${after.name}” show something odd.`)
      return false
    }
    step.claim(ref.number)
    await step.claimNew(entry(dict, 'AP'))
    await noteSize(step, after.name, dict)
  }
  return true
}

/** A quarter of an A4 page. A field of that size is no place for a signature but a page of its own. */
export const LARGE_AREA = 125_000

/** Earlier signers saw an empty rectangle. One that large could have been prepared to draw over what they signed. */
async function noteSize(step: Step, name: string, widget: PdfDict): Promise<void> {
  const box = await toBox(step.after, await step.after.get(widget, 'Rect'))
  const area = box === undefined ? Number.POSITIVE_INFINITY : (box.right - box.left) * (box.top - box.bottom)
  if (area > LARGE_AREA && entry(widget, 'AP') !== undefined) step.coveringFields.push(name)
}

function isAllowed(before: PdfDict, after: PdfDict, allowed: ReadonlySet<string>): boolean {
  return changedKeys(before, after).every((key) => {
    if (key === 'F') return allowed.has(key) && isOnlyLocked(entry(before, key), entry(after, key))
    return allowed.has(key)
  })
}

function isOnlyLocked(before: PdfValue | undefined, after: PdfValue | undefined): boolean {
  const [old, now] = [asInteger(before) ?? 0, asInteger(after)]
  return now !== undefined && (now | LOCKING_FLAGS) === (old | LOCKING_FLAGS) && (now & old) === old
}
