// All fields of a document's form (ISO 32000-2, 12.7.4), each under its full name.
import type { PdfObject, PdfReader } from '../reader.ts'
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
  readonly tree: FieldTree
}

/** An entry of the form's list, with all that stands below it. */
export interface FieldTree {
  readonly root: PdfRef
  /** The fields on the way down, by their numbers; not all of them hold a value. */
  readonly nodes: ReadonlySet<number>
  /** All objects that decide what the fields are, and the streams in which those stand: unchanged, they are the same. */
  readonly sources: ReadonlySet<number>
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
    if (root.kind !== 'ref') throw damaged('one of its form fields is malformed')
    const known = unchanged(root)
    if (known === undefined) await visitTree(walk, root)
    else keep(walk, known)
  }
  requireUniqueNames(walk.fields)
  return walk.fields
}

type KnownTree = { tree: FieldTree; fields: FormField[] }

function unchangedSince(before: FormBefore | undefined): (ref: PdfRef) => KnownTree | undefined {
  const byRoot = new Map<number, KnownTree>()
  for (const field of before?.fields ?? []) {
    const { tree } = field
    const known = byRoot.get(tree.root.number)
    if (known === undefined) byRoot.set(tree.root.number, { tree, fields: [field] })
    else known.fields.push(field)
  }
  return ({ number, generation }) => {
    const found = byRoot.get(number)
    const isSame = found?.tree.root.generation === generation && !isAnyOf(found.tree.sources, before!)
    return isSame ? found : undefined
  }
}

function isAnyOf(sources: ReadonlySet<number>, { hasChanged }: FormBefore): boolean {
  for (const number of sources) if (hasChanged(number)) return true
  return false
}

function keep({ effort, fields, seen }: Walk, known: KnownTree): void {
  const { nodes, sources } = known.tree
  effort.spendKnownFields(nodes.size, sources.size)
  for (const number of nodes) {
    if (seen.has(number)) throw damaged('its form fields run in a circle')
    seen.add(number)
  }
  for (const field of known.fields) fields.push(field)
}

type Walk = { reader: PdfReader; effort: Effort; fields: FormField[]; seen: Set<number> }
type TreeWalk = Walk & { tree: { root: PdfRef; nodes: Set<number>; sources: Set<number> } }

async function visitTree(walk: Walk, root: PdfRef): Promise<void> {
  const tree = { root, nodes: new Set<number>(), sources: new Set<number>() }
  await visit({ ...walk, tree }, root, { name: undefined, type: undefined }, 0)
}

async function visit(walk: TreeWalk, ref: PdfValue, above: Above, depth: number): Promise<void> {
  const { reader, seen, tree } = walk
  if (ref.kind !== 'ref') throw damaged('one of its form fields is malformed')
  if (seen.has(ref.number) || depth > MAX_DEPTH) throw damaged('its form fields run in a circle')
  if (seen.size >= MAX_FIELDS) throw tooComplex('it has too many form fields')
  seen.add(ref.number)
  tree.nodes.add(ref.number)
  walk.effort.spendField()
  await noteSources(walk, ref)
  const dict = await reader.resolve(ref)
  if (dict?.kind !== 'dict') throw damaged('one of its form fields is missing')
  for (const key of ['T', 'FT', 'Kids']) await noteSources(walk, entry(dict, key))
  const name = await fullName(reader, dict, above.name)
  const fieldType = await reader.get(dict, 'FT')
  const type = fieldType?.kind === 'name' ? fieldType.value : above.type
  const kids = await reader.get(dict, 'Kids')
  if (kids !== undefined && kids.kind !== 'array') throw damaged('one of its form fields is malformed')
  const widgets: { ref: PdfRef; dict: PdfDict }[] = []
  for (const kid of kids?.items ?? []) {
    await noteSources(walk, kid)
    const kidDict = dictOf(await reader.resolve(kid))
    // A kid without a name of its own is a widget of its parent, otherwise a field (12.7.4.2).
    if (kid.kind === 'ref' && kidDict !== undefined && entry(kidDict, 'T') === undefined) {
      widgets.push({ ref: kid, dict: kidDict })
    } else await visit(walk, kid, { name, type }, depth + 1)
  }
  const isTerminal = kids === undefined || widgets.length > 0 || entry(dict, 'V') !== undefined
  if (!isTerminal) return
  const shown = kids === undefined ? [{ ref, dict }] : widgets
  walk.fields.push({ name: name ?? '', ref, dict, type, value: entry(dict, 'V'), widgets: shown, tree })
}

/** Notes the objects that a value leads to, and the object streams in which they stand. */
async function noteSources(walk: TreeWalk, value: PdfValue | undefined): Promise<void> {
  const { reader, tree } = walk
  for (let next = value; next?.kind === 'ref' && !tree.sources.has(next.number);) {
    tree.sources.add(next.number)
    const object: PdfObject | undefined = await reader.findObject(next.number)
    if (object?.place.kind === 'compressed') await noteContainer(walk, object.place.streamNumber)
    next = object?.value
  }
}

/** Where an object stream ends can be the word of yet another object. */
async function noteContainer(walk: TreeWalk, streamNumber: number): Promise<void> {
  const { reader, tree } = walk
  if (tree.sources.has(streamNumber)) return
  tree.sources.add(streamNumber)
  const container = dictOf((await reader.findObject(streamNumber))?.value)
  if (container !== undefined) await noteSources(walk, entry(container, 'Length'))
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
