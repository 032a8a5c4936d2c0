// What clients were told, held against what is there.
import { isDeepStrictEqual } from 'node:util'
import type { Observation, SealingInParts, Thing } from '../ledger.ts'
import { MAY_NAME_THE_ERASED } from '../texts.ts'
import type { World } from '../world.ts'
import { each, together, type Invariant } from './invariant.ts'
import { SEALED } from './states.ts'

type AnyRow = Record<string, unknown>

/** Sealing requests without a document: those that were never opened. */
const MAY_BE_EMPTY = new Set(['Draft', 'Canceled'])

/** Rows by mark, made once for all things of a table: there are many. */
function indexRows(world: World): (thing: Thing) => AnyRow[] {
  const indexes = new Map<string, Map<string, AnyRow[]>>()
  return (thing) => {
    const name = `${thing.table}.${thing.column}`
    if (!indexes.has(name)) {
      const rows = world.rows[thing.table] as AnyRow[]
      indexes.set(
        name,
        Map.groupBy(rows, (row) => `${String(row['tenant_id'])} ${String(row[thing.column])}`),
      )
    }
    return indexes.get(name)!.get(`${thing.tenantId} ${thing.mark}`) ?? []
  }
}

const isDeleted = (row: AnyRow) => (row['deleted_at'] ?? row['revoked_at'] ?? null) !== null
const nameOf = ({ table, mark }: Thing) => `${table} ${mark}`

/** What its columns hold besides what the client was told, where that was looked at. */
function wrongColumn(world: World, thing: Thing, row: AnyRow): string | undefined {
  for (const [column, allowed] of thing.values) {
    const value = column === 'source_sha256' ? sourcesOf(world, row) : row[column]
    const isAllowed = allowed.some((one) => isSame(value, one))
    if (!isAllowed) return `${nameOf(thing)} has ${column} ${JSON.stringify(value)}, told: ${JSON.stringify(allowed)}`
  }
  return undefined
}

/** A template's fields are told by the one that was set. */
function isSame(value: unknown, told: unknown): boolean {
  if (typeof value === 'object' && value !== null && 'subject' in value) return value.subject === told
  return isDeepStrictEqual(value, told)
}

/** The hashes of the documents that a request was made with, in their order. */
function sourcesOf({ rows }: World, request: AnyRow): string {
  const documents = rows.signature_document.filter(({ request_id: id }) => id === request['id'])
  const stored = new Map(rows.stored_document.map(({ id, sha256 }) => [id, sha256.toString('hex')]))
  return documents
    .toSorted((a, b) => Number((a as AnyRow)['position']) - Number((b as AnyRow)['position']))
    .map(({ source_document_id: id }) => stored.get(id))
    .join()
}

function mixedSigning({ requestId, status, signatories, documents }: Observation): string | undefined {
  const states = signatories.map(({ state }) => state)
  if (signatories.length === 0 || documents.length === 0) return `${requestId} was read by half`
  const isSealed = documents.every(({ levelReached }) => levelReached !== null)
  if (status === 'Closed' && (!isSealed || states.some((state) => !['Signed', 'Skipped'].includes(state))))
    return `${requestId} was read as Closed with ${states.join()}, sealed: ${isSealed}`
  if (status === 'Draft' && states.some((state) => state !== 'Waiting'))
    return `${requestId} was read as Draft with ${states.join()}`
  return undefined
}

/** Its documents are sealed all or none; where its version was the same before and after, everything tells of one state. */
function mixedSealing({ requestId, areSealed, steady }: SealingInParts): string | undefined {
  if (new Set(areSealed).size > 1) return `${requestId} was read with some of its documents sealed`
  if (steady === undefined) return undefined
  const { status, told } = steady
  if (told !== status) return `${requestId} was read as ${status}, its history as ${told}`
  if (areSealed.length === 0 && !MAY_BE_EMPTY.has(status)) return `${requestId} was read as ${status} without documents`
  const [isSealed = false] = areSealed
  return SEALED.has(status) === isSealed ? undefined : `${requestId} was read as ${status}, sealed: ${isSealed}`
}

export const PROMISES: readonly Invariant[] = [
  {
    name: 'answered-is-kept',
    says: 'What was answered as done is there after every crash, with the content that was given.',
    check(world) {
      const find = indexRows(world)
      const promised = world.ledger.things.filter(({ ids }) => ids.size > 0)
      const things = each(promised, (thing) => {
        const row = find(thing).find(({ id }) => thing.ids.has(String(id)))
        if (thing.end === 'yes')
          return row !== undefined && !isDeleted(row) && `${nameOf(thing)} was deleted and is there`
        if (thing.end === 'unknown') return undefined
        if (row === undefined) return `${nameOf(thing)} was promised and is not there`
        return wrongColumn(world, thing, row)
      })
      const done = world.ledger.sittings.filter(({ outcome }) => outcome === 'done')
      const confirmed = new Set(world.rows.signature_confirmation.map(({ signatory_id: id }) => id))
      const states = new Map(world.rows.signatory.map(({ id, state }) => [id, state]))
      const erased = new Set(
        world.rows.event.filter(({ type }) => type === 'signatoryerased').map((e) => e.signatory_id),
      )
      const sittings = each(done, ({ signatoryId, deed }) => {
        const state = states.get(signatoryId)
        if (deed === 'decline') return state !== 'Declined' && `${signatoryId} declined and is ${state}`
        const isThere = state === 'Signed' || confirmed.has(signatoryId) || erased.has(signatoryId)
        return !isThere && `${signatoryId} confirmed, and nobody remembers`
      })
      const reported = Map.groupBy(
        world.rows.event.filter(({ type }) => type === 'signatoryreported'),
        (event) => event.signatory_id,
      )
      const reports = each(world.ledger.reports, (signatoryId) => {
        const times = reported.get(signatoryId)?.length ?? 0
        return times !== 1 && `${signatoryId} reported a message, which was recorded ${times} times`
      })
      return together(things, sittings, reports)
    },
  },
  {
    name: 'unknown-is-whole-or-nothing',
    says: 'A call without an answer happened wholly or not at all, and never twice.',
    check(world) {
      const find = indexRows(world)
      return each(world.ledger.things, (thing) => {
        const found = find(thing)
        if (found.length > 1) return `${nameOf(thing)} is there ${found.length} times`
        const [row] = found
        if (row === undefined || thing.ids.size > 0) return undefined
        return wrongColumn(world, thing, row)
      })
    },
  },
  {
    name: 'same-key-same-thing',
    says: 'A repeated call, by Idempotency-Key or by an id of the caller, gets the same answer and makes nothing new; a key with another body is refused.',
    check: ({ ledger }) =>
      together(
        each(ledger.repeats, ({ what, answers }) => new Set(answers).size > 1 && `${what}: ${answers.join(', ')}`),
        each(ledger.clashes, ({ what, status }) => status < 400 && `${what} with another body was answered ${status}`),
      ),
  },
  {
    name: 'reads-are-whole',
    says: 'An answer during a fault shows one state, never half of one and half of another; so do all answers about a sealing request between two with the same version.',
    check: ({ ledger }) =>
      together(each(ledger.observations, mixedSigning), each(ledger.sealingsInParts, mixedSealing)),
  },
  {
    name: 'nothing-unforeseen',
    says: 'No client gets an answer that its call does not explain: no error without a reason, no refusal of what is allowed.',
    check: ({ ledger }) => ({
      checked: [...ledger.calls.values()].reduce((sum, { answered }) => sum + answered, 0),
      problems: ledger.surprises,
    }),
  },
  {
    name: 'tenants-apart',
    says: 'Nothing that a tenant gets, as answer, message or webhook, holds anything of another tenant.',
    check({ ledger, tenants, received, mails }) {
      const words = tenants.map(({ word }) => word)
      const foreign = (own: string, text: string) => words.find((word) => word !== own && text.includes(word))
      const ownerOf = (text: string) => words.find((word) => text.includes(word)) ?? ''
      const answered = [...ledger.calls.values()].reduce((sum, calls) => sum + calls.answered, 0)
      return together(
        { checked: answered, problems: ledger.leaks },
        each(received, ({ path, body }) => {
          const word = foreign(ownerOf(path), body)
          return word !== undefined && `${path} was told of ${word}`
        }),
        each(mails, ({ to, text, html }) => {
          const word = foreign(ownerOf(to.join()), text + html)
          return word !== undefined && `${to.join()} was written of ${word}`
        }),
      )
    },
  },
  {
    name: 'erased-stays-erased',
    says: 'A person who was erased from a finished request is in no row of any table any more, but for certificates, which are part of what was signed.',
    check({ ledger, texts }) {
      const places = texts
        .filter(({ table }) => MAY_NAME_THE_ERASED[table] === undefined)
        .map(({ table, text }) => ({ table, text: text.toLowerCase() }))
      const erased = ledger.erased.filter(({ requestIds }) => requestIds.length > 0)
      return each(erased, ({ word, requestIds }) => {
        if (places.length === 0) return `nobody looked for ${word}, who was erased`
        const found = places.filter(({ text }) => text.includes(word)).map(({ table }) => table)
        return found.length > 0 && `${word} was erased from ${requestIds.join()} and is still in ${found.join(', ')}`
      })
    },
  },
]
