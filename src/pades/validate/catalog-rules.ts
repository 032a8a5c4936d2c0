// The catalog of a later revision: the few keys that signing and keeping signatures have to touch. Everything else in
// it decides what the document shows or does, and stays as it was signed.
import { entry, type PdfDict, type PdfValue } from '../value.ts'
import { explainForm } from './form-rules.ts'
import { TRAILER } from './inventory.ts'
import { changedKeys, isSameValue } from './same-value.ts'
import type { Step } from './step.ts'
import { explainStore } from './store-rules.ts'

const INFO_KEYS = new Set(['ModDate', 'Producer'])

/** Explains the catalog and what hangs from the keys that may change. */
export async function explainCatalog(step: Step): Promise<void> {
  const catalogs = { before: await step.before.catalog(), after: await step.after.catalog() }
  const changed = new Set(changedKeys(catalogs.before, catalogs.after))
  for (const key of ['AcroForm', 'DSS']) changed.delete(key)
  await explainForm(step, catalogs)
  await explainStore(step, catalogs)
  if (await explainExtensions(step, catalogs)) changed.delete('Extensions')
  if (await explainMetadata(step, catalogs)) changed.delete('Metadata')
  if (isVersionRaised(catalogs)) changed.delete('Version')
  for (const key of changed) step.refuse(`A later revision changes the document as a whole (/${key} of its catalog).`)
  step.claim(step.after.rootRef.number)
}

type Catalogs = { before: PdfDict; after: PdfDict }

/** /Extensions may name further extensions of PDF (7.12), in plain values only. */
async function explainExtensions(step: Step, { before, after }: Catalogs): Promise<boolean> {
  const [old, now] = [entry(before, 'Extensions'), entry(after, 'Extensions')]
  const [oldDict, nowDict] = [await step.before.resolve(old), await step.after.resolve(now)]
  const isTouched = !isSameValue(old, now) || (now?.kind === 'ref' && step.changes.has(now.number))
  if (!isTouched) return true
  if (nowDict?.kind !== 'dict' || (oldDict !== undefined && oldDict.kind !== 'dict')) return false
  const isKept = [...(oldDict?.entries.keys() ?? [])].every((key) => nowDict.entries.has(key))
  if (!isKept || !areExtensions(nowDict) || !isOwn(step, old, now)) return false
  if (now?.kind === 'ref') step.claim(now.number)
  step.add('extensions', 'The list of extensions in use was updated.')
  return true
}

const EXTENSION_KEYS = new Set(['Type', 'BaseVersion', 'ExtensionLevel', 'ExtensionRevision', 'URL'])

/** Each developer's prefix leads to what table 49 describes. */
const areExtensions = ({ entries }: PdfDict) =>
  [...entries].every(([prefix, { value }]) => {
    if (prefix === 'Type') return value.kind === 'name'
    return value.kind === 'dict' && isPlain(value) && [...value.entries.keys()].every((key) => EXTENSION_KEYS.has(key))
  })

/** An object that is changed for the catalog's sake is new, or was there for the same key and for nothing else. */
function isOwn(step: Step, before: PdfValue | undefined, after: PdfValue | undefined): boolean {
  if (after?.kind !== 'ref' || !step.changes.has(after.number)) return true
  if (!isSameValue(before, after)) return step.isNew(after.number)
  return step.isKnownOnlyTo(after.number, new Set([step.before.rootRef.number]))
}

function isPlain(value: PdfValue): boolean {
  if (value.kind === 'dict') return Array.from(value.entries.values(), (item) => item.value).every(isPlain)
  return value.kind === 'name' || value.kind === 'number' || value.kind === 'string'
}

/** /Metadata describes the document and shows nothing of it; programs update it whenever they save. */
async function explainMetadata(step: Step, { before, after }: Catalogs): Promise<boolean> {
  const [old, now] = [entry(before, 'Metadata'), entry(after, 'Metadata')]
  const isTouched = !isSameValue(old, now) || (now?.kind === 'ref' && step.changes.has(now.number))
  if (!isTouched) return true
  if (now?.kind !== 'ref' || (await step.after.resolve(now))?.kind !== 'stream' || !isOwn(step, old, now)) return false
  if (step.changes.has(now.number)) step.claim(now.number)
  step.add('metadata', 'The description of the document (its metadata) was updated.')
  return true
}

function isVersionRaised({ before, after }: Catalogs): boolean {
  const [old, now] = [entry(before, 'Version'), entry(after, 'Version')]
  if (now?.kind !== 'name' || !/^[12]\.\d$/.test(now.value)) return false
  return old?.kind !== 'name' || now.value >= old.value
}

/** The information dictionary may say when and by which program the document was saved. */
export async function explainInformation(step: Step): Promise<void> {
  const ref = entry(step.after.trailer, 'Info')
  if (ref?.kind !== 'ref') return
  const { before, after } = step.changes.get(ref.number) ?? {}
  if (before?.value.kind !== 'dict' || after?.value.kind !== 'dict') return
  const keys = changedKeys(before.value, after.value)
  const isHarmless = keys.every((key) => INFO_KEYS.has(key)) && isPlain(after.value)
  if (!isHarmless || !step.isKnownOnlyTo(ref.number, new Set([TRAILER]))) return
  step.claim(ref.number)
  step.add('metadata', 'The date of the last change was updated.')
}
