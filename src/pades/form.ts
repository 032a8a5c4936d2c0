// The interactive form (ISO 32000-2, 12.7): which signature fields a document has, and what they hold.
import type { PdfReader } from './reader.ts'
import { damaged, tooComplex } from './refused.ts'
import { dictOf, entry, isName, textOf, type PdfDict, type PdfRef, type PdfValue } from './value.ts'

const MAX_FIELDS = 20_000
const MAX_FIELD_DEPTH = 32

export interface SignatureField {
  /** The fully qualified name: partial names from the root on, joined by full stops. */
  readonly name: string
  readonly ref: PdfRef
  readonly dict: PdfDict
  /** The signature dictionary; undefined while the field is empty. */
  readonly signature: PdfDict | undefined
  readonly signatureRef: PdfRef | undefined
  /** Where it shows: the field itself, or those of its kids that are no fields. */
  readonly widgets: readonly { readonly ref: PdfRef; readonly dict: PdfDict }[]
}

export interface Form {
  /** The names of all fields, whatever their type. */
  readonly names: ReadonlySet<string>
  readonly signatureFields: readonly SignatureField[]
  /** All objects of the form: fields, what stands above them, and what shows them. */
  readonly objects: ReadonlySet<number>
}

/** The names of all fields, without looking at what they hold. */
export async function readFieldNames(reader: PdfReader): Promise<ReadonlySet<string>> {
  return (await walkForm(reader, { withSignatures: false })).names
}

/** All fields of the document's form. Refused where two fields have the same name, because values would be ambiguous. */
export async function readForm(reader: PdfReader): Promise<Form> {
  return walkForm(reader, { withSignatures: true })
}

async function walkForm(reader: PdfReader, { withSignatures }: { withSignatures: boolean }): Promise<FormWalk> {
  const acroForm = await reader.findDict(await reader.catalog(), 'AcroForm')
  const fields = acroForm && (await reader.findArray(acroForm, 'Fields'))
  const walk: FormWalk = {
    reader,
    withSignatures,
    names: new Set(),
    signatureFields: [],
    seen: new Set(),
    objects: new Set(),
  }
  for (const field of fields?.items ?? [])
    await visit(walk, field, { name: undefined, type: undefined, value: undefined }, 0)
  return walk
}

interface FormWalk {
  readonly reader: PdfReader
  readonly withSignatures: boolean
  readonly names: Set<string>
  readonly signatureFields: SignatureField[]
  readonly seen: Set<number>
  readonly objects: Set<number>
}

interface Above {
  readonly name: string | undefined
  readonly type: PdfValue | undefined
  readonly value: PdfValue | undefined
}

async function visit(walk: FormWalk, ref: PdfValue, above: Above, depth: number): Promise<void> {
  const { reader, seen } = walk
  // Some writers leave null behind when a field goes; it stands for nothing.
  if (ref.kind !== 'ref') {
    if (ref.kind === 'null') return
    throw damaged('one of its form fields is malformed')
  }
  if (seen.has(ref.number) || depth > MAX_FIELD_DEPTH) throw damaged('its form fields run in a circle')
  if (seen.size >= MAX_FIELDS) throw tooComplex('it has too many form fields')
  seen.add(ref.number)
  const dict = dictOf(await reader.resolve(ref))
  if (dict === undefined) return
  const name = await qualifiedName(reader, dict, above.name)
  const type = (await reader.get(dict, 'FT')) ?? above.type
  const value = entry(dict, 'V') ?? above.value
  const kids = (await reader.findArray(dict, 'Kids'))?.items ?? []
  const widgets = await listWidgets(reader, kids)
  for (const part of [ref, ...widgets.map((widget) => widget.ref)]) walk.objects.add(part.number)
  const fieldKids = kids.filter((kid) => !widgets.some((widget) => widget.ref === kid))
  for (const kid of fieldKids) await visit(walk, kid, { name, type, value }, depth + 1)
  if (fieldKids.length > 0 && entry(dict, 'V') === undefined) return
  const shown = kids.length === 0 ? [{ ref, dict }] : widgets
  await addField(walk, { name: name ?? '', ref, dict, type, value, widgets: shown })
}

async function qualifiedName(reader: PdfReader, dict: PdfDict, above: string | undefined): Promise<string | undefined> {
  const partial = await reader.get(dict, 'T')
  if (partial?.kind !== 'string') return above
  return above === undefined ? textOf(partial) : `${above}.${textOf(partial)}`
}

/** A kid without a name of its own is a widget of its parent, otherwise a field (12.7.4.2). */
async function listWidgets(reader: PdfReader, kids: readonly PdfValue[]) {
  const widgets: { ref: PdfRef; dict: PdfDict }[] = []
  for (const ref of kids) {
    const dict = dictOf(await reader.resolve(ref))
    if (ref.kind === 'ref' && dict !== undefined && entry(dict, 'T') === undefined) widgets.push({ ref, dict })
  }
  return widgets
}

type FoundField = Omit<SignatureField, 'signature' | 'signatureRef'> & Omit<Above, 'name'>

async function addField(walk: FormWalk, { type, value, ...field }: FoundField): Promise<void> {
  const { reader, withSignatures, names, signatureFields } = walk
  const isSignature = isName(type, 'Sig')
  if (isSignature && names.has(field.name)) throw damaged(`two of its form fields are called “${field.name}”`)
  names.add(field.name)
  if (!isSignature || !withSignatures) return
  const signature = dictOf(await reader.resolve(value))
  signatureFields.push({ ...field, signature, signatureRef: value?.kind === 'ref' ? value : undefined })
}

/** How much a certification allows (12.8.2.2): 1 nothing, 2 filling and signing, 3 annotations too. Absent: no limit. */
export async function findCertification(reader: PdfReader): Promise<1 | 2 | 3 | undefined> {
  const permissions = await reader.findDict(await reader.catalog(), 'Perms')
  const signature = permissions && (await reader.findDict(permissions, 'DocMDP'))
  const references = signature && (await reader.findArray(signature, 'Reference'))
  for (const item of references?.items ?? []) {
    const reference = dictOf(await reader.resolve(item))
    if (reference === undefined || !isName(await reader.get(reference, 'TransformMethod'), 'DocMDP')) continue
    const parameters = await reader.findDict(reference, 'TransformParams')
    const level = parameters && (await reader.get(parameters, 'P'))
    return level?.kind === 'number' && (level.value === 1 || level.value === 3) ? level.value : 2
  }
  return undefined
}
