// What was sent, what came back, and what waits: enough to understand a delivery that failed without asking us.
import type { Tx } from '#platform/db/database.ts'
import type { Page } from '#platform/http/paging.ts'
import type { ChosenSubscription } from './change-subscription.ts'
import { ownHeaders } from './delivery-request.ts'
import { countDeliveries, type DELIVERY_STATES, listDeliveries, listTries } from './delivery-statements.ts'
import { findLane } from './lane-statements.ts'
import { getSubscription } from './read-subscriptions.ts'

const COUNTED_TO = 1000
const HIDDEN = '[hidden]'

export type ReadDeliveries = ChosenSubscription & {
  state: (typeof DELIVERY_STATES)[number] | undefined
  page: Page
}

/** A subscription's deliveries, newest first, each with its tries. */
export async function readDeliveries(tx: Tx, { state, page, ...chosen }: ReadDeliveries) {
  const { tenantId } = chosen.caller
  const subscription = await getSubscription(tx, { ...chosen, eventType: undefined })
  const subscriptionId = subscription.id
  const filter = { tenantId, subscriptionId, state: state ?? null }
  // Asked for at once, so that they are of one moment: no delivery waits for the try that is told beside it.
  const [{ total }, deliveries, allTries, lane] = await Promise.all([
    countDeliveries.one(tx, filter),
    listDeliveries.many(tx, { ...filter, ...page }),
    listTries.many(tx, { ...filter, ...page }),
    findLane.maybeOne(tx, { tenantId, subscriptionId }),
  ])
  const tries = Map.groupBy(allTries, (row) => row.deliveryId)
  return {
    total: Math.min(total, COUNTED_TO),
    totalIsCapped: total > COUNTED_TO,
    closedUntil: lane?.closedUntil ?? null,
    failingSince: lane?.failingSince ?? null,
    items: deliveries.map((delivery) => ({
      ...delivery,
      tries: (tries.get(delivery.id) ?? []).map((one) => describeTry(subscription, delivery, one)),
    })),
  }
}

type Try = Awaited<ReturnType<typeof listTries.many>>[number]

function describeTry(
  { uri, headerNames }: { uri: string; headerNames: string[] },
  delivery: { id: string; sequence: number; isTest: boolean },
  { number, at, durationMs, status, error, answer }: Try,
) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    number,
    at,
    durationMs,
    status,
    error,
    answer,
    request: {
      method: 'POST',
      uri,
      headers: {
        // Theirs may hold passwords, and a signature is as good as the secret for as long as its timestamp counts.
        ...Object.fromEntries(headerNames.map((name) => [name, HIDDEN])),
        ...ownHeaders(delivery),
        'webhook-id': delivery.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': HIDDEN,
      },
    },
  }
}
