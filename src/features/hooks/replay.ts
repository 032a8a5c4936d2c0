// Sending again: one delivery, everything of a span of time, or a test. The id stays the event's own, so a receiver that
// has it already knows.
import { writePayload, type EventType } from '#features/event/index.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { invalidArgument } from '#platform/errors.ts'
import { isUuid, newId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { holdSubscription, type ChosenSubscription } from './change-subscription.ts'
import {
  findDelivery,
  insertDeliveries,
  insertTestDelivery,
  requeueDeliveries,
  restoreOrder,
} from './delivery-statements.ts'
import { deliveryNotFound } from './errors.ts'
import { columns, isAbout, type StoredEvent } from './fan-out.ts'
import { findSubscription } from './hook-statements.ts'
import { hurryLane, lockLanes, wakeLanes } from './lane-statements.ts'
import { listEventsBetween } from './outbox-statements.ts'
import { recordSubscriptionDeed } from './record-deed.ts'

export const REPLAY_QUEUE = 'hooks.replay'
const LONGEST_SPAN_MS = 90 * 24 * 60 * 60 * 1000
/** As many as the statement answers with: then there may be more. */
const EVENTS_A_PORTION = 500

/** Sends one delivery again, with its schedule from the beginning. One that is still waiting just goes on. */
export async function replayDelivery(
  tx: Tx,
  { deliveryId, now, ...chosen }: ChosenSubscription & { deliveryId: string; now: Date },
): Promise<{ id: string }> {
  const { tenantId } = chosen.caller
  const held = await holdSubscription(tx, chosen)
  const { id: subscriptionId } = held
  const id = deliveryId.toLowerCase()
  const found = isUuid(id) ? await findDelivery.maybeOne(tx, { tenantId, subscriptionId, id }) : undefined
  if (found === undefined) throw deliveryNotFound(deliveryId)
  await requeue(tx, { tenantId, subscriptionId, ids: [id], states: ['delivered', 'parked'], now })
  await recordSubscriptionDeed(tx, { caller: chosen.caller, deed: 'replayed', subscription: held, now })
  tx.wakeWorkers()
  return { id }
}

type Requeue = {
  tenantId: string
  subscriptionId: string
  ids: string[]
  states: string[]
  /** Deliveries that are new: others of their requests may have to wait for them. */
  added?: { requestId: string }[]
  now: Date
}

async function requeue(tx: Tx, { tenantId, subscriptionId, ids, states, added = [], now }: Requeue): Promise<void> {
  const again = await requeueDeliveries.many(tx, { tenantId, subscriptionId, ids, states })
  const requestIds = [...new Set([...again, ...added].map((delivery) => delivery.requestId))]
  if (requestIds.length > 0) await restoreOrder.run(tx, { tenantId, subscriptionId, requestIds, now })
  await wakeLanes.run(tx, { tenantId, subscriptionIds: [subscriptionId], now })
}

export type Span = { from: Date; to: Date | undefined; includeDelivered: boolean }

/** Asks for everything of a span to be sent that did not arrive, also what happened while the subscription was disabled. */
export async function replaySpan(tx: Tx, { span, now, ...chosen }: ChosenSubscription & { span: Span; now: Date }) {
  const { tenantId } = chosen.caller
  const { from, to = now, includeDelivered } = span
  if (from >= to) throw invalidArgument('from', 'must be before to')
  if (now.getTime() - from.getTime() > LONGEST_SPAN_MS) throw invalidArgument('from', 'must be within the last 90 days')
  const held = await holdSubscription(tx, chosen)
  const { id: subscriptionId } = held
  const payload = { subscriptionId, from: from.toISOString(), to: to.toISOString(), includeDelivered }
  await enqueue(tx, { tenantId, queue: REPLAY_QUEUE, key: subscriptionId, payload, now })
  await recordSubscriptionDeed(tx, { caller: chosen.caller, deed: 'replayed', subscription: held, now })
}

export type ReplayJob = { tenantId: string; subscriptionId: string; from: Date; to: Date; includeDelivered: boolean }

/** Does what `replaySpan` asked for, portion by portion. Doing it twice sends nothing that waits already. */
export async function runReplay(db: Database, job: ReplayJob, now: Date): Promise<void> {
  const until = firstIdAt(new Date(job.to.getTime() + 1))
  for (let after: string | undefined = firstIdAt(job.from); after !== undefined;) {
    const start: string = after
    after = await db.transaction(job.tenantId, (tx) => replayPortion(tx, { ...job, after: start, until, now }))
  }
}

type Portion = ReplayJob & { after: string; until: string; now: Date }

/** Answers with where the next portion begins, if there is one. */
async function replayPortion(tx: Tx, portion: Portion): Promise<string | undefined> {
  const { tenantId, subscriptionId, after, until, includeDelivered, now } = portion
  const subscription = await findSubscription.maybeOne(tx, { tenantId, subscriptionId })
  if (subscription === undefined) return undefined
  const events = await listEventsBetween.many(tx, { tenantId, type: subscription.eventType, after, until })
  const chosen: StoredEvent[] = events.filter((event) => isAbout(subscription, event))
  if (chosen.length > 0) {
    await lockLanes.many(tx, { tenantId, subscriptionIds: [subscriptionId] })
    const pairs = chosen.map((event) => ({ subscriptionId, event }))
    const added = await insertDeliveries.many(tx, { tenantId, now, ...columns(tenantId, pairs) })
    const states = includeDelivered ? ['parked', 'delivered'] : ['parked']
    await requeue(tx, { tenantId, subscriptionId, ids: chosen.map((event) => event.id), states, added, now })
    tx.wakeWorkers()
  }
  return events.length < EVENTS_A_PORTION ? undefined : events.at(-1)!.id
}

/** The smallest UUID version 7 of a moment. */
function firstIdAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Sends a made-up event of the subscription's kind at once, even where it is paused, disabled or being left alone. */
export async function sendTest(
  tx: Tx,
  { now, ...chosen }: ChosenSubscription & { now: Date },
): Promise<{ id: string }> {
  const { tenantId } = chosen.caller
  const held = await holdSubscription(tx, chosen)
  const { id: subscriptionId, eventType, departmentId, creatorId } = held
  const id = newId()
  const payload = writePayload({
    type: eventType as EventType,
    at: now,
    tenantId,
    departmentId,
    requestId: id,
    signatoryId: newId(),
    data: { creatorId, status: 'Open', previousStatus: 'Draft' },
  })
  await insertTestDelivery.run(tx, { tenantId, subscriptionId, id, payload, now })
  await hurryLane.run(tx, { tenantId, subscriptionId, now })
  await recordSubscriptionDeed(tx, { caller: chosen.caller, deed: 'tested', subscription: held, now })
  tx.wakeWorkers()
  return { id }
}
