// One step from a revision to the next, while it is being explained. Every object that the later revision wrote has to
// be claimed by a rule; what no rule claims is an unexplained change. Rules can't widen each other: an object that
// was there before is claimed only for the very change that its rule looked at.
import type { PdfObject, PdfReader } from '../reader.ts'
import { tooComplex } from '../refused.ts'
import type { PdfDict, PdfValue } from '../value.ts'
import { MAX_CHANGED_OBJECTS } from './bounds.ts'
import { readEntry, type Inventory, type RevisionView } from './inventory.ts'
import type { Addition } from './report.ts'
import { isSameObject } from './same-value.ts'

export interface Change {
  readonly number: number
  readonly before: PdfObject | undefined
  readonly after: PdfObject | undefined
}

/** What a step did, judged for itself; whether a signature permits it is another question. */
export interface StepResult {
  readonly revision: number
  readonly additions: readonly Addition[]
  /** Existing fields that were filled in or signed. */
  readonly filledFields: readonly string[]
  /** Signature fields that came later or are large, and show on a page: they may cover what was there. */
  readonly coveringFields: readonly string[]
  /** What no rule explains. */
  readonly problems: readonly string[]
}

export class Step {
  readonly before: PdfReader
  readonly after: PdfReader
  readonly viewBefore: RevisionView
  readonly view: RevisionView
  readonly changes: ReadonlyMap<number, Change>
  readonly additions: Addition[] = []
  readonly filledFields: string[] = []
  readonly coveringFields: string[] = []
  readonly problems: string[] = []
  private readonly claimed = new Set<number>()
  private readonly widgets = new Set<number>()
  private readonly newness = new Map<number, boolean>()
  private readonly inventory: Inventory

  constructor(parts: {
    viewBefore: RevisionView
    view: RevisionView
    changes: Map<number, Change>
    inventory: Inventory
  }) {
    this.before = parts.viewBefore.reader
    this.viewBefore = parts.viewBefore
    this.after = parts.view.reader
    this.view = parts.view
    this.changes = parts.changes
    this.inventory = parts.inventory
  }

  get revision(): number {
    return this.view.revision.index
  }

  add(kind: Addition['kind'], message: string): void {
    this.additions.push({ revision: this.revision + 1, kind, message })
  }

  refuse(problem: string): void {
    this.problems.push(problem)
  }

  claim(number: number): void {
    this.claimed.add(number)
  }

  isClaimed(number: number): boolean {
    return this.claimed.has(number)
  }

  /** True for an object that did not exist before and that nothing pointed to. */
  isNew(number: number): boolean {
    const known = this.newness.get(number)
    if (known !== undefined) return known
    const change = this.changes.get(number)
    const isAdded = change !== undefined && change.before === undefined && change.after !== undefined
    const isNew = isAdded && this.listReferrers(number).length === 0
    this.newness.set(number, isNew)
    return isNew
  }

  /** True if, before this step, only the objects given pointed to this one: then its change shows nowhere else. */
  isKnownOnlyTo(number: number, referrers: ReadonlySet<number>): boolean {
    return this.listReferrers(number).every((from) => referrers.has(from))
  }

  /** The objects that pointed to this one before the step; the trailer counts as -1. */
  listReferrers(number: number): number[] {
    return this.inventory.references.before(number, this.revision)
  }

  countReferrers(number: number): number {
    return new Set(this.listReferrers(number)).size
  }

  /** Remembers a new signature field, whose widget may then join the annotations of a page. */
  noteWidget(number: number): void {
    this.widgets.add(number)
  }

  isNewWidget(number: number): boolean {
    return this.widgets.has(number)
  }

  /** Claims all new objects that a value leads to. What existed before is left for its own rule. */
  async claimNew(value: PdfValue | undefined): Promise<void> {
    const open = value === undefined ? [] : [value]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.kind === 'array') for (const item of next.items) open.push(item)
      else if (next.kind === 'dict') open.push(...valuesOf(next))
      else if (next.kind === 'stream') open.push(...valuesOf(next.dict))
      else if (next.kind === 'ref' && this.isNew(next.number) && !this.isClaimed(next.number)) {
        this.claim(next.number)
        const object = this.changes.get(next.number)?.after
        if (object !== undefined) open.push(object.value)
      }
    }
  }
}

const valuesOf = (dict: PdfDict) => Array.from(dict.entries.values(), ({ value }) => value)

/** Reads what a revision wrote. Objects that are as they were before count as unchanged. */
export async function readStep(inventory: Inventory, index: number): Promise<Step> {
  const view = inventory.views[index] as RevisionView
  const viewBefore = inventory.views[index - 1] as RevisionView
  const before = viewBefore.reader
  if (view.entries.size > MAX_CHANGED_OBJECTS) throw tooComplex('one of its later revisions is too large')
  const changes = new Map<number, Change>()
  for (const [number, found] of view.entries) {
    inventory.effort.spendObject()
    const object = { before: await before.findObject(number), after: await readEntry(view, number, found) }
    const isSame = await isSameObject(
      { reader: before, object: object.before },
      { reader: view.reader, object: object.after },
    )
    if (!isSame) changes.set(number, { number, ...object })
  }
  return new Step({ viewBefore, view, changes, inventory })
}
