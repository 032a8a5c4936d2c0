// Which form fields a signature freezes (ISO 32000-2, 12.7.5.5 and 12.8.2.4): asked for on the field by /Lock, and bound
// into the signature as a FieldMDP reference.
import type { PdfReader } from './reader.ts'
import { PdfRefused } from './refused.ts'
import type { SignatureField } from './form.ts'
import { dictOf, isName, textOf, type PdfDict } from './value.ts'
import { textString } from './write.ts'

export type Lock =
  | { readonly action: 'All' }
  | { readonly action: 'Include' | 'Exclude'; readonly fields: readonly string[] }

/** /Action and /Fields, which the field's lock and the signature's parameters share. */
export function lockEntries(lock: Lock): string {
  if (lock.action === 'All') return '/Action /All'
  return `/Action /${lock.action} /Fields [${lock.fields.map(textString).join(' ')}]`
}

/** The lock that a dictionary describes; undefined where it describes none. */
export async function readLock(reader: PdfReader, dict: PdfDict | undefined): Promise<Lock | undefined> {
  const action = dict && (await reader.get(dict, 'Action'))
  if (dict === undefined || action?.kind !== 'name') return undefined
  if (action.value !== 'Include' && action.value !== 'Exclude') return { action: 'All' }
  const fields: string[] = []
  for (const item of (await reader.findArray(dict, 'Fields'))?.items ?? []) {
    const name = await reader.resolve(item)
    if (name?.kind === 'string') fields.push(textOf(name))
  }
  return { action: action.value, fields }
}

/** Refuses a field that an earlier signature has frozen: filling it would break that signature. */
export async function requireUnlocked(
  reader: PdfReader,
  signed: readonly SignatureField[],
  name: string,
): Promise<void> {
  for (const { signature, name: lockedBy } of signed) {
    for (const lock of await locksOf(reader, signature)) {
      if (covers(lock, name))
        throw new PdfRefused('field', `The signature in “${lockedBy}” allows no further signature in “${name}”.`)
    }
  }
}

async function locksOf(reader: PdfReader, signature: PdfDict | undefined): Promise<Lock[]> {
  const references = signature && (await reader.findArray(signature, 'Reference'))
  const locks: Lock[] = []
  for (const item of references?.items ?? []) {
    const reference = dictOf(await reader.resolve(item))
    if (reference === undefined || !isName(await reader.get(reference, 'TransformMethod'), 'FieldMDP')) continue
    const lock = await readLock(reader, await reader.findDict(reference, 'TransformParams'))
    if (lock !== undefined) locks.push(lock)
  }
  return locks
}

/** A name stands for the field and all below it. */
function covers(lock: Lock, name: string): boolean {
  if (lock.action === 'All') return true
  const isNamed = lock.fields.some((field) => name === field || name.startsWith(`${field}.`))
  return isNamed === (lock.action === 'Include')
}
