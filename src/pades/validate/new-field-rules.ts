// Signature fields that a later revision brings. They must be new through and through, and carry nothing that acts.
import { toBox } from '../page.ts'
import { entry, isName, type PdfDict, type PdfValue } from '../value.ts'
import type { FormField } from './fields.ts'
import { isTimestampDict } from './locate.ts'
import type { Step } from './step.ts'

/** What a signature field and its widget may say (12.5.6.19, 12.7.5.5); actions are not among it. */
const KEYS = new Set('Type Subtype FT T TU TM Ff F P Rect AP AS V Lock SV MK BS Border H DA Q Contents NM M'.split(' '))

/** Explains a field that was not there before. */
export async function explainNewField(step: Step, field: FormField): Promise<void> {
  const { ref, dict, name } = field
  const unusual = [...dict.entries.keys()].find((key) => !KEYS.has(key))
  if (!step.isNew(ref.number) || !isName(entry(dict, 'FT'), 'Sig') || unusual !== undefined) {
    return step.refuse(`A later revision adds a field “${name}” that is not a plain signature field.`)
  }
  if (!(await isAppearance(step, entry(dict, 'AP'))) || !(await isEmptyOrSigned(step, field))) {
    return step.refuse(`A later revision adds a field “${name}” that holds something odd.`)
  }
  step.claim(ref.number)
  step.noteWidget(ref.number)
  for (const key of ['V', 'AP', 'Lock', 'SV', 'MK']) await step.claimNew(entry(dict, key))
  await noteSigned(step, field)
  if (await isVisible(step, dict)) step.coveringFields.push(name)
}

/**
 * What a signature dictionary may hold (12.8.1, table 255, and the build data of Adobe). Fonts and pictures are
 * dictionaries too; if any key were allowed, a signed page could have been prepared to use the signature as one.
 */
const SIGNATURE_KEYS = new Set(
  'Type Filter SubFilter Contents Cert ByteRange Reference Changes Name M Location Reason ContactInfo R V'.split(' '),
).union(new Set(['Prop_Build', 'Prop_AuthTime', 'Prop_AuthType']))

/** True for a reference to a dictionary that is a signature and nothing else. */
export async function isSignatureDict(step: Step, value: PdfValue): Promise<boolean> {
  const dict = await step.after.resolve(value)
  return dict?.kind === 'dict' && [...dict.entries.keys()].every((key) => SIGNATURE_KEYS.has(key))
}

async function isEmptyOrSigned(step: Step, { value }: FormField): Promise<boolean> {
  return value === undefined || (value.kind === 'ref' && step.isNew(value.number) && isSignatureDict(step, value))
}

const APPEARANCE_KEYS = new Set(['N', 'R', 'D'])

/** /AP is a dictionary of appearances (12.5.5) that nothing else in the document uses. */
export async function isAppearance(step: Step, value: PdfValue | undefined): Promise<boolean> {
  if (value === undefined) return true
  const dict = await step.after.resolve(value)
  return dict?.kind === 'dict' && [...dict.entries.keys()].every((key) => APPEARANCE_KEYS.has(key))
}

/** Says in the report that a field was signed, or that it is there to be. */
export async function noteSigned(step: Step, { name, value }: FormField): Promise<void> {
  const signature = await step.after.resolve(value)
  if (signature === undefined) step.add('empty-field', `The empty signature field “${name}” was added.`)
  else if (signature.kind === 'dict' && isTimestampDict(signature)) {
    step.add('timestamp', `A timestamp over the document was added (“${name}”).`)
  } else step.add('signature', `The field “${name}” was signed.`)
}

/** Anything with an area can cover what the page shows; flags that hide it can be overruled by readers. */
async function isVisible(step: Step, widget: PdfDict): Promise<boolean> {
  const rect = await step.after.get(widget, 'Rect')
  if (rect === undefined) return false
  const box = await toBox(step.after, rect)
  return box === undefined || (box.right !== box.left && box.top !== box.bottom)
}
