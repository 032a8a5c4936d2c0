// The security store may grow and do nothing else (EN 319 142-1, 5.4.2): whatever a timestamp relied on must stay.
import { asInteger, entry, isName, type PdfDict, type PdfRef, type PdfValue } from '../value.ts'
import { isSameValue } from './same-value.ts'
import type { Step } from './step.ts'

const LISTS = ['Certs', 'OCSPs', 'CRLs']
const VRI_KEYS = new Set(['Type', 'Cert', 'CRL', 'OCSP', 'TU', 'TS'])
const STREAM_KEYS = new Set(['Length', 'Filter', 'DecodeParms', 'Type'])

/** Explains what happened to /DSS of the catalog. */
export async function explainStore(step: Step, catalogs: { before: PdfDict; after: PdfDict }): Promise<void> {
  const [before, after] = [entry(catalogs.before, 'DSS'), entry(catalogs.after, 'DSS')]
  const [old, grown] = [await step.before.resolve(before), await step.after.resolve(after)]
  if (old === undefined && grown === undefined) return
  if (grown?.kind !== 'dict' || (old !== undefined && old.kind !== 'dict')) {
    return step.refuse('A later revision damages the store of validation data.')
  }
  const chain = new StoreChain(step)
  chain.enter(before, after)
  const isGrown = await hasGrown(chain, old, grown)
  if (isGrown && !chain.hasChanged && isSameValue(before, after)) return
  if (!isGrown || !chain.isPrivate) {
    return step.refuse('A later revision changes the store of validation data otherwise than by adding to it.')
  }
  step.add('validation-data', 'Data for later validation was added.')
  chain.claimAll()
}

/** The containers of the store that are objects of their own. Nothing else in the document may use them. */
class StoreChain {
  readonly step: Step
  /** Containers before or after the step. */
  private readonly containers = new Set<number>()
  /** Containers after it: only these have been looked at as they are now. */
  private readonly current = new Set<number>()
  /** An object that was something else before has been made part of the store. */
  private hasForeign = false

  constructor(step: Step) {
    this.step = step
  }

  enter(before: PdfValue | undefined, after: PdfValue | undefined): void {
    for (const value of [before, after]) if (value?.kind === 'ref') this.containers.add(value.number)
    if (after?.kind !== 'ref') return
    this.current.add(after.number)
    const isForeign =
      this.step.changes.has(after.number) && !isSameValue(before, after) && !this.step.isNew(after.number)
    if (isForeign) this.hasForeign = true
  }

  get hasChanged(): boolean {
    return [...this.containers].some((number) => this.step.changes.has(number))
  }

  get isPrivate(): boolean {
    const referrers = new Set([...this.containers, this.step.before.rootRef.number])
    return !this.hasForeign && [...this.containers].every((number) => this.step.isKnownOnlyTo(number, referrers))
  }

  claimAll(): void {
    for (const number of this.current) this.step.claim(number)
  }
}

async function hasGrown(chain: StoreChain, before: PdfDict | undefined, after: PdfDict): Promise<boolean> {
  for (const [key, { value }] of after.entries) {
    const old = before && entry(before, key)
    if (key === 'Type') {
      if (!isName(value, 'DSS')) return false
    } else if (LISTS.includes(key)) {
      if (!(await hasListGrown(chain, old, value))) return false
    } else if (key === 'VRI') {
      if (!(await hasIndexGrown(chain, old, value))) return false
    } else if (!isSameValue(old, value)) return false
  }
  return [...(before?.entries.keys() ?? [])].every((key) => after.entries.has(key))
}

/** All old items in their order, then new streams. */
async function hasListGrown(
  chain: StoreChain,
  before: PdfValue | undefined,
  after: PdfValue | undefined,
): Promise<boolean> {
  const { step } = chain
  chain.enter(before, after)
  const [old, grown] = [await step.before.resolve(before), await step.after.resolve(after)]
  if (grown?.kind !== 'array' || (old !== undefined && old.kind !== 'array')) return false
  const kept = old?.items ?? []
  if (!kept.every((item, index) => isSameValue(item, grown.items[index]))) return false
  return grown.items.slice(kept.length).every((item) => item.kind === 'ref' && isStoreItem(chain, item))
}

/** A stream without any other use: new in this step, or part of the store already. */
function isStoreItem({ step }: StoreChain, ref: PdfRef): boolean {
  const change = step.changes.get(ref.number)
  if (change === undefined) return true
  const value = change.after?.value
  if (!step.isNew(ref.number) || value?.kind !== 'stream') return false
  const { entries } = value.dict
  const isPlain = [...entries].every(
    ([key, item]) => STREAM_KEYS.has(key) && (key !== 'Length' || asInteger(item.value) !== undefined),
  )
  if (isPlain) step.claim(ref.number)
  return isPlain
}

/** /VRI: validation data by signature. Entries may be added, and may grow. */
async function hasIndexGrown(chain: StoreChain, before: PdfValue | undefined, after: PdfValue): Promise<boolean> {
  const { step } = chain
  chain.enter(before, after)
  const [old, grown] = [await step.before.resolve(before), await step.after.resolve(after)]
  if (grown?.kind !== 'dict' || (old !== undefined && old.kind !== 'dict')) return false
  for (const [key, { value }] of grown.entries) {
    if (key === 'Type') continue
    if (!(await hasIndexEntryGrown(chain, old && entry(old, key), value))) return false
  }
  return [...(old?.entries.keys() ?? [])].every((key) => grown.entries.has(key))
}

async function hasIndexEntryGrown(chain: StoreChain, before: PdfValue | undefined, after: PdfValue): Promise<boolean> {
  const { step } = chain
  chain.enter(before, after)
  const [old, grown] = [await step.before.resolve(before), await step.after.resolve(after)]
  if (grown?.kind !== 'dict' || (old !== undefined && old.kind !== 'dict')) return false
  for (const [key, { value }] of grown.entries) {
    if (!VRI_KEYS.has(key)) return false
    const earlier = old && entry(old, key)
    if (key === 'Cert' || key === 'CRL' || key === 'OCSP') {
      if (!(await hasListGrown(chain, earlier, value))) return false
    } else if (key === 'TS' && value.kind === 'ref') {
      if (!isStoreItem(chain, value)) return false
    } else if (value.kind !== 'name' && value.kind !== 'string') return false
  }
  return [...(old?.entries.keys() ?? [])].every((key) => grown.entries.has(key))
}
