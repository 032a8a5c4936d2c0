// All fields of a document's form (ISO 32000-2, 12.7.4), each under its full name.
import type { PdfReader } from '../reader.ts'
import { damaged, tooComplex } from '../refused.ts'
import { dictOf, entry, textOf, type PdfDict, type PdfRef, type PdfValue } from '../value.ts'
import type { Effort } from './bounds.ts'

const MAX_FIELDS = 20_000
const MAX_DEPTH = 32

export interface FormField {
  readonly name: string
  readonly ref: PdfRef
  readonly dict: PdfDict
  /** /FT, perhaps inherited. */
  readonly type: string | undefined
  /** /V as written in the field itself. */
  readonly value: PdfValue | undefined
  /** Objects that show the field: itself, or kids without a name. */
  readonly widgets: readonly { readonly ref: PdfRef; readonly dict: PdfDict }[]
  /** All that is said of it stands in its own object in the file: the same field for as long as that is not replaced. */
  readonly isSelfContained: boolean
}

/** The form as it was one revision earlier. */
export interface FormBefore {
  readonly fields: readonly FormField[]
  /** Whether the revision in between has a word about an object. */
  hasChanged(number: number): boolean
}

interface Above {
  readonly name: string | undefined
  readonly type: string | undefined
}

/**
 * The fields in order. Refused where the tree is malformed or a signature field shares its name. Those that are as they
 * were are not read again: where a hundred people sign, each revision has a hundred fields and changes one.
 */
export async function listFields(reader: PdfReader, effort: Effort, before?: FormBefore): Promise<FormField[]> {
  const form = await reader.findDict(await reader.catalog(), 'AcroForm')
  const roots = form === undefined ? undefined : await reader.get(form, 'Fields')
  if (roots !== undefined && roots.kind !== 'array') throw damaged('its list of form fields is malformed')
  const walk: Walk = { reader, effort, fields: [], seen: new Set() }
  const unchanged = unchangedSince(before)
  for (const root of roots?.items ?? []) {
    const known = root.kind === 'ref' ? unchanged(root) : undefined
    if (known === undefined) await visit(walk, root, { name: undefined, type: undefined }, 0)
    else keep(walk, known)
  }
  requireUniqueNames(walk.fields)
  return walk.fields
}

function unchangedSince(before: FormBefore | undefined): (ref: PdfRef) => FormField | undefined {
  const fields = before?.fields.filter(({ ref, isSelfContained }) => isSelfContained && !before.hasChanged(ref.number))
  const byNumber = new Map(fields?.map((field) => [field.ref.number, field]))
  return ({ number, generation }) => {
    const found = byNumber.get(number)
    return found?.ref.generation === generation ? found : undefined
  }
}

function keep({ effort, fields, seen }: Walk, field: FormField): void {
  const { number } = field.ref
  if (seen.has(number)) throw damaged('its form fields run in a circle')
  seen.add(number)
  effort.spendKnownField()
  fields.push(field)
}

type Walk = { reader: PdfReader; effort: Effort; fields: FormField[]; seen: Set<number> }

async function visit(walk: Walk, ref: PdfValue, above: Above, depth: number): Promise<void> {
  const { reader, seen } = walk
  if (ref.kind !== 'ref') throw damaged('one of its form fields is malformed')
  if (seen.has(ref.number) || depth > MAX_DEPTH) throw damaged('its form fields run in a circle')
  if (seen.size >= MAX_FIELDS) throw tooComplex('it has too many form fields')
  seen.add(ref.number)
  walk.effort.spendField()
  const dict = await reader.resolve(ref)
  if (dict?.kind !== 'dict') throw damaged('one of its form fields is missing')
  const name = await fullName(reader, dict, above.name)
  const fieldType = await reader.get(dict, 'FT')
  const type = fieldType?.kind === 'name' ? fieldType.value : above.type
  const kids = await reader.get(dict, 'Kids')
  if (kids !== undefined && kids.kind !== 'array') throw damaged('one of its form fields is malformed')
  const widgets: { ref: PdfRef; dict: PdfDict }[] = []
  for (const kid of kids?.items ?? []) {
    const kidDict = dictOf(await reader.resolve(kid))
    // A kid without a name of its own is a widget of its parent, otherwise a field (12.7.4.2).
    if (kid.kind === 'ref' && kidDict !== undefined && entry(kidDict, 'T') === undefined) {
      widgets.push({ ref: kid, dict: kidDict })
    } else await visit(walk, kid, { name, type }, depth + 1)
  }
  const isTerminal = kids === undefined || widgets.length > 0 || entry(dict, 'V') !== undefined
  if (!isTerminal) return
  const shown = kids === undefined ? [{ ref, dict }] : widgets
  const isSelfContained = depth === 0 && (await standsAlone(reader, ref, dict))
  walk.fields.push({ name: name ?? '', ref, dict, type, value: entry(dict, 'V'), widgets: shown, isSelfContained })
}

/** In an object stream it could be replaced together with that. */
async function standsAlone(reader: PdfReader, { number }: PdfRef, dict: PdfDict): Promise<boolean> {
  if (entry(dict, 'Kids') !== undefined || ['T', 'FT'].some((key) => entry(dict, key)?.kind === 'ref')) return false
  const object = await reader.findObject(number)
  return object?.value === dict && object.place.kind === 'file'
}

async function fullName(reader: PdfReader, dict: PdfDict, above: string | undefined): Promise<string | undefined> {
  const partial = await reader.get(dict, 'T')
  if (partial?.kind !== 'string') return above
  return above === undefined ? textOf(partial) : `${above}.${textOf(partial)}`
}

function requireUniqueNames(fields: readonly FormField[]): void {
  const seen = new Map<string, string | undefined>()
  for (const { name, type } of fields) {
    const isTwice = seen.has(name) && (type === 'Sig' || seen.get(name) === 'Sig')
    if (isTwice) throw damaged(`two of its fields are called “${name}”`)
    seen.set(name, type)
  }
}
