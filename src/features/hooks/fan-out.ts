// From events to deliveries: who is to be told is decided once, in the transaction that takes the event out of the
// outbox. So each event reaches each of its subscriptions, and an event that was not committed reaches none.
import { handOut, writePayload, type EventType } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { insertDeliveries } from './delivery-statements.ts'
import { listListeners } from './hook-statements.ts'
import { ensureLanes, lockLanes, wakeLanes } from './lane-statements.ts'
import { listOutboxEvents } from './outbox-statements.ts'

export type StoredEvent = Awaited<ReturnType<typeof listOutboxEvents.many>>[number]
type Listener = Awaited<ReturnType<typeof listListeners.many>>[number]

/**
 * A change that began before a subscription was made may be committed after it, and then belongs to it. No transaction
 * takes longer than this; events that are older than the subscription by more are none of its business.
 */
const LONGEST_TRANSACTION_MS = 60_000

/** An event that many listen to makes many deliveries. Sending need not wait until all of them are written. */
const DELIVERIES_A_TRANSACTION = 2_000

export type FanOut = { tenantId: string; bucket: number; ids: string[]; now: Date }

/** How many of the events are done, and the lanes that have something new: known once the transaction has committed. */
export type FannedOut = { done: number; lanes: Promise<LockedLane[]> }

type LockedLane = Awaited<ReturnType<typeof lockLanes.many>>[number]

/** Turns events into deliveries, in their order, as many of them as are good for one transaction. */
export async function fanOut(tx: Tx, { tenantId, bucket, ids, now }: FanOut): Promise<FannedOut> {
  const [events, listeners] = await Promise.all([
    listOutboxEvents.many(tx, { tenantId, ids }),
    listListeners.many(tx, { tenantId, eventIds: ids }),
  ])
  const { done, pairs } = matchSome(ids, events, listeners)
  const left = new Set(ids.slice(done))
  const subscriptionIds = [...new Set(pairs.map(({ subscriptionId }) => subscriptionId))]
  tx.withoutWaiting(handOut(tx, { tenantId, events: events.filter((event) => !left.has(event.id)) }))
  if (subscriptionIds.length === 0) return { done, lanes: Promise.resolve([]) }
  tx.withoutWaiting(ensureLanes.run(tx, { tenantId, subscriptionIds, bucket }))
  const lanes = lockLanes.many(tx, { tenantId, subscriptionIds })
  tx.withoutWaiting(lanes)
  tx.withoutWaiting(insertDeliveries.run(tx, { tenantId, now, ...columns(tenantId, pairs) }))
  tx.withoutWaiting(wakeLanes.run(tx, { tenantId, subscriptionIds, now }))
  return { done, lanes }
}

export type Pair = { subscriptionId: string; event: StoredEvent }

function matchSome(ids: string[], events: StoredEvent[], listeners: Listener[]): { done: number; pairs: Pair[] } {
  const byType = Map.groupBy(listeners, (listener) => listener.eventType)
  const byId = new Map(events.map((event) => [event.id, event]))
  const pairs: Pair[] = []
  for (const [done, id] of ids.entries()) {
    if (pairs.length >= DELIVERIES_A_TRANSACTION) return { done, pairs }
    const event = byId.get(id) // None where another worker has taken it.
    if (event !== undefined) pairs.push(...matchOne(event, byType.get(event.type) ?? []))
  }
  return { done: ids.length, pairs }
}

function matchOne(event: StoredEvent, listeners: Listener[]): Pair[] {
  return listeners
    .filter((listener) => isAbout(listener, event) && isInTime(listener, event))
    .map((listener) => ({ subscriptionId: listener.id, event }))
}

/** The interface's rule: the department itself, and what lies below it where that was asked for, as it was then. */
export function isAbout(
  { departmentId, subdepartments }: { departmentId: string; subdepartments: boolean },
  event: { departmentId: string; departmentPath: string[] },
): boolean {
  return departmentId === event.departmentId || (subdepartments && event.departmentPath.includes(departmentId))
}

function isInTime({ createdAt }: Listener, { at }: StoredEvent): boolean {
  return at.getTime() >= createdAt.getTime() - LONGEST_TRANSACTION_MS
}

/** The deliveries as columns, with their payloads. */
export function columns(tenantId: string, pairs: readonly Pair[]) {
  const payloads = new Map<string, string>()
  for (const { event } of pairs) {
    if (!payloads.has(event.id)) payloads.set(event.id, writePayload(factsOf(tenantId, event)))
  }
  return {
    subscriptionIds: pairs.map(({ subscriptionId }) => subscriptionId),
    ids: pairs.map(({ event }) => event.id),
    requestIds: pairs.map(({ event }) => event.requestId),
    sequences: pairs.map(({ event }) => event.sequence),
    payloads: pairs.map(({ event }) => payloads.get(event.id)!),
  }
}

function factsOf(tenantId: string, event: StoredEvent) {
  const body = event.body === null ? {} : (JSON.parse(event.body.toString()) as { data?: Record<string, unknown> })
  return { ...event, tenantId, type: event.type as EventType, data: body.data ?? {} }
}
