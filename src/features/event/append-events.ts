// Events are facts: appended in the transaction of the change itself, in one order for each request, never changed.
import { randomBytes } from 'node:crypto'
import { isPerson, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { bucketOf } from '#platform/jobs/bucket.ts'
import { FIRST_PREVIOUS_HASH, hashBody, hashLink, SALT_BYTES } from './event-chain.ts'
import {
  insertEvents,
  insertEventsOfMany,
  lockChain,
  lockChains,
  type EventRow,
  type HeadRow,
  type RequestKind,
} from './event-statements.ts'

export type Actor = { kind: 'user' | 'key' | 'signatory' | 'system'; id: string | null }

export type NewEvent = {
  type: string
  actor: Actor
  signatoryId?: string
  data?: Record<string, unknown>
  /** People fetch evidence once it has happened: the log's checkpoint over it is stamped without waiting. */
  stampSoon?: boolean
}

export type Subject = { tenantId: string; requestId: string; requestKind: RequestKind; departmentId: string }

export function actorOf(caller: Caller): Actor {
  return { kind: isPerson(caller) ? 'user' : 'key', id: caller.userId }
}

/** From then on there is evidence to fetch. */
const EVIDENCE_IS_READY = 'signaturerequestcompleted'

export const SYSTEM: Actor = { kind: 'system', id: null }

/** Appends to the history of a request that has one already. Waits for whoever else is appending to it. */
export async function appendEvents(tx: Tx, subject: Subject, events: NewEvent[], now: Date): Promise<void> {
  const { tenantId, requestId, requestKind } = subject
  const head = await lockChain.one(tx, { tenantId, requestId, requestKind })
  append(tx, subject, head, events, now)
}

/** Appends to a history, or begins it. Whoever calls this holds the thing that it is about, so that nobody else begins. */
export async function continueHistory(tx: Tx, subject: Subject, events: NewEvent[], now: Date): Promise<void> {
  const { tenantId, requestId, requestKind } = subject
  const head = await lockChain.maybeOne(tx, { tenantId, requestId, requestKind })
  append(tx, subject, head ?? beginningAt(now), events, now)
}

/** Writes the first events of a new request. */
export async function beginHistory(tx: Tx, subject: Subject, events: NewEvent[], now: Date): Promise<void> {
  append(tx, subject, beginningAt(now), events, now)
}

export type Addition = { requestId: string; departmentId: string; events: NewEvent[] }

type Additions = { tenantId: string; requestKind: RequestKind; additions: readonly Addition[] }

/** Appends to the histories of many requests at once; each of them has one already. */
export async function appendToMany(tx: Tx, { tenantId, requestKind, additions }: Additions, now: Date): Promise<void> {
  const requestIds = additions.map(({ requestId }) => requestId)
  const heads = await lockChains.many(tx, { tenantId, requestIds, requestKind })
  const headOf = new Map(heads.map((head) => [head.requestId, head]))
  const appended = additions.map(({ requestId, departmentId, events }) => {
    const head = headOf.get(requestId)
    if (head === undefined) throw new Error('an event was appended to a request without a history')
    const at = notBefore(head.lastAt, now)
    const links = linkAll({ tenantId, requestId }, head, events, at)
    return { at, links, name: { requestId, departmentId } }
  })
  const inserted = insertEventsOfMany.run(tx, {
    tenantId,
    requestKind,
    bucket: bucketOf(tenantId),
    events: appended.flatMap(({ links, name }) => links.map((link) => eventRow(name, link))),
    heads: appended.map(({ at, links, name }) => headRow(name, links, at)),
  })
  tx.withoutWaiting(inserted)
  tx.tellOfEvents()
}

type Link = ReturnType<typeof linkAll>[number]
type Name = { requestId: string; departmentId: string }

export function eventRow(name: Name, { id, sequence, type, at, signatoryId, stampSoon, ...bytes }: Link): EventRow {
  return {
    ...name,
    id,
    sequence,
    type,
    at,
    signatoryId: signatoryId === '' ? null : signatoryId,
    salt: bytes.salt.toString('hex'),
    body: bytes.body.toString('hex'),
    bodyHash: bytes.bodyHash.toString('hex'),
    previousHash: bytes.previousHash.toString('hex'),
    hash: bytes.hash.toString('hex'),
    stampSoon,
  }
}

export function headRow(name: Name, links: readonly Link[], at: Date): HeadRow {
  const { sequence: lastSequence, hash } = links.at(-1)!
  return { ...name, lastSequence, ...firstAndLast(links), lastHash: hash.toString('hex'), at }
}

type Head = { lastSequence: number; lastHash: Buffer; lastAt: Date }

export function beginningAt(now: Date): Head {
  return { lastSequence: 0, lastHash: FIRST_PREVIOUS_HASH, lastAt: now }
}

function append(tx: Tx, subject: Subject, head: Head, events: NewEvent[], now: Date): void {
  const at = notBefore(head.lastAt, now)
  const links = linkAll(subject, head, events, at)
  const last = links.at(-1)!
  const inserted = insertEvents.run(tx, {
    ...subject,
    bucket: bucketOf(subject.tenantId),
    at,
    ids: links.map((link) => link.id),
    sequences: links.map((link) => link.sequence),
    types: links.map((link) => link.type),
    signatoryIds: links.map((link) => link.signatoryId),
    salts: links.map((link) => link.salt),
    bodies: links.map((link) => link.body),
    bodyHashes: links.map((link) => link.bodyHash),
    previousHashes: links.map((link) => link.previousHash),
    hashes: links.map((link) => link.hash),
    lastSequence: last.sequence,
    ...firstAndLast(links),
    lastHash: last.hash,
    stampSoon: links.some(({ stampSoon }) => stampSoon),
  })
  tx.withoutWaiting(inserted)
  tx.tellOfEvents()
}

/** A clock that was set back must not put an event before the one that caused it. */
const notBefore = (earlier: Date, now: Date) => (now > earlier ? now : earlier)

/** Ids of the same millisecond come in no order. */
function firstAndLast(links: readonly { id: string }[]) {
  const ids = links.map(({ id }) => id).sort()
  return { firstEvent: ids[0]!, lastEvent: ids.at(-1)! }
}

export function linkAll(
  { tenantId, requestId }: Pick<Subject, 'tenantId' | 'requestId'>,
  head: Head,
  events: NewEvent[],
  at: Date,
) {
  let previousHash = head.lastHash
  return events.map(({ type, actor, signatoryId, data = {}, stampSoon = type === EVIDENCE_IS_READY }, index) => {
    const sequence = head.lastSequence + index + 1
    const salt = randomBytes(SALT_BYTES)
    const id = newId()
    // All that a history tells of an event is under its hash: what stands beside the body is in the hash itself.
    const body = Buffer.from(JSON.stringify({ id, actor, signatoryId: signatoryId ?? null, data }))
    const bodyHash = hashBody(salt, body)
    const link = { previousHash, sequence, tenantId, requestId, type, at, bodyHash }
    const hash = hashLink(link)
    previousHash = hash
    return { ...link, id, signatoryId: signatoryId ?? '', salt, body, hash, stampSoon }
  })
}
