// What the clients asked for and what they were told, kept outside of the service. An answer is a promise; no answer, or
// one that says that the service is in trouble, means that nobody knows: then the thing is there wholly or not at all.
import type { Rows } from './rows.ts'

export type Table = keyof Rows

/** Something that a client asked for. It is found again by a mark of the client's own, whatever id it got. */
export type Thing = {
  readonly tenantId: string
  readonly table: Table
  readonly column: string
  readonly mark: string
  /** The ids that it was answered with; none while nobody knows whether it exists. */
  readonly ids: Set<string>
  /** What each column may hold: one value where the last change was answered, several where some were not. */
  readonly values: Map<string, unknown[]>
  end: 'no' | 'unknown' | 'yes'
}

export type Outcome = 'done' | 'unknown'

/** What a client saw of a request when it read it. */
export type Observation = {
  tenantId: string
  requestId: string
  status: string
  signatories: { id: string; state: string }[]
  documents: { sha256: string; levelReached: string | null }[]
}

/** What a client saw of a sealing request in several reads, one after the other. */
export type SealingInParts = {
  requestId: string
  /** Whether each of its documents was there as sealed. */
  areSealed: boolean[]
  /** Its status, and the one that its history told in between; undefined where it changed meanwhile. */
  steady: { status: string; told: string } | undefined
}

/** What a signatory's page showed and the person confirmed. */
export type Sitting = {
  tenantId: string
  requestId: string
  signatoryId: string
  /** SHA-256 of the bytes that were downloaded, by document. */
  shown: Map<string, string>
  deed: 'sign' | 'decline'
  outcome: Outcome
}

export type Ledger = ReturnType<typeof openLedger>

export function openLedger() {
  return {
    things: [] as Thing[],
    observations: [] as Observation[],
    /** What clients read of sealing requests, with the version in the ETag. */
    sealings: [] as { requestId: string; status: string; version: number }[],
    sealingsInParts: [] as SealingInParts[],
    sittings: [] as Sitting[],
    /** Calls that were made again under the same key or id, with all answers that came. */
    repeats: [] as { what: string; answers: string[] }[],
    /** Calls under a key that another body had used before: the status that came. */
    clashes: [] as { what: string; status: number }[],
    /** SHA-256 of the bytes that came with a document's uri. */
    downloads: [] as { tenantId: string; uri: string; sha256: string }[],
    /** Codes that a signatory typed and the service judged. */
    codes: [] as { tenantId: string; signatoryId: string; isRight: boolean; isJudged: boolean; isIn: boolean }[],
    /** When a subscription was answered, by its id: from then on it is told of every event. */
    subscribedAt: new Map<string, number>(),
    /** Signatories whose report of a stranger's message was answered. */
    reports: new Set<string>(),
    /** Links of requests that had ended, and what opening them was answered with. */
    deadLinks: [] as { requestId: string; status: number }[],
    /** Secrets of subscriptions, every one that was ever answered, by the mark in the receiver's address. */
    secrets: new Map<string, { tenantId: string; secrets: string[] }>(),
    /** People whose erasure was answered, each by a word that nobody else has, and where. */
    erased: [] as { word: string; requestIds: string[] }[],
    /** Answers that hold something of another tenant's. */
    leaks: [] as string[],
    /** Answers that no client should ever get. */
    surprises: [] as string[],
    /** How often each operation was called, answered and left unknown. */
    calls: new Map<string, { answered: number; unknown: number }>(),

    ask(thing: Pick<Thing, 'tenantId' | 'table' | 'column' | 'mark'>, values: Record<string, unknown> = {}): Thing {
      const asked: Thing = { ...thing, ids: new Set(), values: new Map(), end: 'no' }
      for (const [column, value] of Object.entries(values)) asked.values.set(column, [value])
      this.things.push(asked)
      return asked
    },
  }
}

/** A change of columns that was answered, or that nobody knows about. */
export function change(thing: Thing, values: Record<string, unknown>, outcome: Outcome): void {
  for (const [column, value] of Object.entries(values)) {
    changeToOneOf(thing, column, [value], outcome)
  }
}

/** A column is one of these from now on; where nobody knows, also what it was. */
export function changeToOneOf(thing: Thing, column: string, values: unknown[], outcome: Outcome): void {
  const known = thing.values.get(column)
  if (outcome === 'done') thing.values.set(column, values)
  // A column that was never told about may hold anything, and so it stays.
  else if (known !== undefined) thing.values.set(column, [...known, ...values])
}

export function remove(thing: Thing, outcome: Outcome): void {
  thing.end = outcome === 'done' ? 'yes' : thing.end === 'yes' ? 'yes' : 'unknown'
}
