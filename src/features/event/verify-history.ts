// Checks a history as operation 17 answers with it, needing nothing but the history and a public key. Pure.
import type { JsonWebKey } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { isUuid } from '#platform/ids.ts'
import { FIRST_PREVIOUS_HASH, hashBody, hashLink } from './event-chain.ts'
import { isHeadSignedBy } from './history-head.ts'

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Id = Type.Refine(Type.String(), isUuid)

const HistoryEvent = Type.Object({
  sequenceNumber: Type.Integer({ minimum: 0, maximum: 4_294_967_295 }),
  eventType: Type.String({ maxLength: 255 }),
  timestamp: Type.String(),
  actor: Type.Unknown(),
  data: Type.Unknown(),
  hash: Hash,
  previousHash: Hash,
  bodyHash: Hash,
  salt: Type.Union([Type.String(), Type.Null()]),
  body: Type.Union([Type.String(), Type.Null()]),
})

const Head = Type.Object({
  sequence: Type.Integer({ minimum: 0, maximum: 4_294_967_295 }),
  hash: Hash,
  signature: Type.String(),
  keyId: Type.String(),
})

const Page = Type.Object({
  tenantId: Id,
  requestId: Id,
  items: Type.Array(HistoryEvent),
  head: Type.Union([Head, Type.Null()]),
})

type HistoryPage = Static<typeof Page>
type Event = Static<typeof HistoryEvent>

export type Verdict = { isIntact: true; events: number; erased: number } | { isIntact: false; problem: string }

/** Whether the pages of a history are whole, in order, unchanged, and signed by one of the keys at their end. */
export function verifyHistory(pages: unknown, keys: readonly JsonWebKey[]): Verdict {
  const list = Array.isArray(pages) ? pages : [pages]
  if (!list.every((page): page is HistoryPage => Check(Page, page))) return broken('This is not a history of ours.')
  const [first] = list
  if (first === undefined) return broken('The file holds no page of a history.')
  const { tenantId, requestId } = first
  if (list.some((page) => page.tenantId !== tenantId || page.requestId !== requestId)) {
    return broken('The pages belong to different requests.')
  }
  const events = list.flatMap((page) => page.items)
  const problem = findBrokenLink(events, { tenantId, requestId }) ?? findBrokenEnd(list, events, keys)
  if (problem !== undefined) return broken(problem)
  return { isIntact: true, events: events.length, erased: events.filter((event) => event.body === null).length }
}

function broken(problem: string): Verdict {
  return { isIntact: false, problem }
}

type Name = { tenantId: string; requestId: string }

function findBrokenLink(events: readonly Event[], name: Name): string | undefined {
  let previousHash: Buffer = FIRST_PREVIOUS_HASH
  for (const [index, event] of events.entries()) {
    const sequence = index + 1
    if (event.sequenceNumber !== sequence) {
      return `Event ${sequence} is missing or out of order: event ${event.sequenceNumber} stands in its place.`
    }
    if (event.previousHash !== previousHash.toString('hex'))
      return `Event ${sequence} does not follow the one before it.`
    const bodyHash = readBodyHash(event)
    if (bodyHash === undefined) return `What event ${sequence} tells has been changed.`
    const at = new Date(event.timestamp)
    if (Number.isNaN(at.getTime())) return `Event ${sequence} has no time.`
    previousHash = hashLink({ ...name, previousHash, sequence, type: event.eventType, at, bodyHash })
    if (event.hash !== previousHash.toString('hex')) return `Event ${sequence} has been changed.`
  }
  return undefined
}

/** The hash of the body, undefined where body, actor or data are not what was hashed. An erased body has only its hash. */
function readBodyHash({ salt, body, bodyHash, actor, data }: Event): Buffer | undefined {
  if (salt === null || body === null) return actor === null && data === null ? Buffer.from(bodyHash, 'hex') : undefined
  const bytes = Buffer.from(body, 'base64')
  const hash = hashBody(Buffer.from(salt, 'base64'), bytes)
  if (hash.toString('hex') !== bodyHash) return undefined
  return bytes.toString() === JSON.stringify({ actor, data }) ? hash : undefined
}

function findBrokenEnd(
  pages: readonly HistoryPage[],
  events: readonly Event[],
  keys: readonly JsonWebKey[],
): string | undefined {
  const { tenantId, requestId, head } = pages.at(-1)!
  const last = events.at(-1)
  if (head === null || last === undefined)
    return 'The signed end of the history is missing: it may have been cut short.'
  if (head.sequence !== last.sequenceNumber || head.hash !== last.hash) {
    return `The history was signed with ${head.sequence} events; this one ends with event ${last.sequenceNumber}.`
  }
  const signed = { tenantId, requestId, sequence: head.sequence, hash: Buffer.from(head.hash, 'hex') }
  const signature = Buffer.from(head.signature, 'base64')
  if (!keys.some((key) => isHeadSignedBy(key, signed, signature))) {
    return 'The end of the history is not signed by any of the keys.'
  }
  return undefined
}
