import type { Static } from 'typebox'
import { listSupportedHooks } from '#features/event/index.ts'
import { readPage } from '#platform/http/paging.ts'
import { route } from '#platform/http/route.ts'
import { Nothing } from '#platform/http/schema.ts'
import { pauseSubscription, resumeSubscription, rotateSecret } from './change-subscription.ts'
import { createSubscription } from './create-subscription.ts'
import { listWaitingEvents } from './outbox-statements.ts'
import { readDeliveries } from './read-deliveries.ts'
import { deleteSubscription, getSubscription, listReachableSubscriptions } from './read-subscriptions.ts'
import { replayDelivery, replaySpan, sendTest } from './replay.ts'
import {
  DeliveryAccepted,
  DeliveryListing,
  DeliveryPath,
  DeliveryQuery,
  EventTypeQuery,
  OutboxQuery,
  PageQuery,
  ReplayInput,
  SecretRotated,
  SubscriptionBody,
  SubscriptionCreated,
  SubscriptionInput,
  SubscriptionListing,
  SubscriptionPath,
  SupportedHooks,
  WaitingEvents,
} from './schemas.ts'

const tag = 'Hooks'

export const hookRoutes = [
  route({
    operation: 19,
    method: 'GET',
    url: '/hooks/v1',
    summary: 'List supported hooks',
    description: 'The kinds of event that can be subscribed to, each with the fields of its deliveries.',
    tag,
    permission: 'hook:read',
    needsToken: true,
    response: { 200: SupportedHooks },
    handle: async () => listSupportedHooks(),
  }),
  route({
    operation: 20,
    method: 'POST',
    url: '/hooks/v1/subscription',
    summary: 'Create a subscription',
    description:
      'Has events of one kind delivered to an address. Names may be written with an initial capital. The secret is answered with this once.',
    tag,
    permission: 'hook:write',
    needsToken: true,
    body: SubscriptionInput,
    response: { 202: SubscriptionCreated },
    answersWithSecrets: true,
    handle: ({ tx, now, platform: { config, keyring } }, { caller, body }) =>
      createSubscription(tx, { caller, given: body, config, keyring, now }),
  }),
  route({
    operation: 21,
    method: 'GET',
    url: '/hooks/v1/subscription',
    summary: 'List subscriptions, newest first',
    tag,
    permission: 'hook:read',
    needsToken: true,
    query: PageQuery,
    response: { 200: SubscriptionListing },
    handle: ({ tx }, { caller, query }) => listReachableSubscriptions(tx, { caller, page: readPage(query) }),
  }),
  route({
    operation: 22,
    method: 'GET',
    url: '/hooks/v1/subscription/:subscriptionId',
    summary: 'Read a subscription',
    tag,
    permission: 'hook:read',
    needsToken: true,
    params: SubscriptionPath,
    query: EventTypeQuery,
    response: { 200: SubscriptionBody },
    errorStatuses: { notFound: 404 },
    handle: ({ tx }, { caller, params, query }) =>
      getSubscription(tx, { caller, subscriptionId: params.subscriptionId, eventType: query.eventType }),
  }),
  route({
    operation: 23,
    method: 'DELETE',
    url: '/hooks/v1/subscription/:subscriptionId',
    summary: 'Delete a subscription',
    tag,
    permission: 'hook:write',
    needsToken: true,
    params: SubscriptionPath,
    query: EventTypeQuery,
    response: { 202: Nothing },
    errorStatuses: { notFound: 404 },
    handle: ({ tx, now }, { caller, params, query }) =>
      deleteSubscription(tx, { caller, subscriptionId: params.subscriptionId, eventType: query.eventType, now }),
  }),
  route({
    method: 'GET',
    url: '/hooks/v1/outbox',
    summary: 'List waiting events, oldest first',
    description: 'Events that have not been handed to the subscriptions yet.',
    tag,
    permission: 'hook:write',
    needsToken: true,
    query: OutboxQuery,
    response: { 200: WaitingEvents },
    handle: async ({ tx }, { caller: { tenantId, departmentId: above }, query }) => {
      const { take } = readPage(query)
      return { items: await listWaitingEvents.many(tx, { tenantId, above, after: query.after ?? null, take }) }
    },
  }),
  route({
    method: 'GET',
    url: '/hooks/v1/subscription/:subscriptionId/delivery',
    summary: 'List deliveries, newest first, with every try',
    description: 'What was and what will be delivered.',
    tag,
    permission: 'hook:read',
    needsToken: true,
    params: SubscriptionPath,
    query: DeliveryQuery,
    response: { 200: DeliveryListing },
    handle: ({ tx }, { caller, params, query }) =>
      readDeliveries(tx, { caller, ...params, state: query.state, page: readPage(query) }),
  }),
  route({
    method: 'POST',
    url: '/hooks/v1/subscription/:subscriptionId/delivery/:deliveryId/replay',
    summary: 'Replay a delivery',
    description: 'Sends it again, under the same id.',
    tag,
    permission: 'hook:write',
    needsToken: true,
    params: DeliveryPath,
    response: { 202: DeliveryAccepted },
    handle: ({ tx, now }, { caller, params }) => replayDelivery(tx, { caller, ...params, now }),
  }),
  route({
    method: 'POST',
    url: '/hooks/v1/subscription/:subscriptionId/replay',
    summary: 'Replay deliveries, of a span of time',
    description:
      'What did not arrive, also what happened while the subscription was disabled. Without `to`: until now.',
    tag,
    permission: 'hook:write',
    needsToken: true,
    params: SubscriptionPath,
    body: ReplayInput,
    response: { 202: Nothing },
    handle: ({ tx, now }, { caller, params, body }) => replaySpan(tx, { caller, ...params, span: readSpan(body), now }),
  }),
  route({
    method: 'POST',
    url: '/hooks/v1/subscription/:subscriptionId/test',
    summary: 'Test a subscription',
    description: 'Sends a made-up event of its kind at once, even where it is paused or disabled.',
    tag,
    permission: 'hook:write',
    needsToken: true,
    params: SubscriptionPath,
    response: { 202: DeliveryAccepted },
    handle: ({ tx, now }, { caller, params }) => sendTest(tx, { caller, ...params, now }),
  }),
  route({
    method: 'POST',
    url: '/hooks/v1/subscription/:subscriptionId/pause',
    summary: 'Pause a subscription',
    description: 'Nothing is sent any more; what happens is collected.',
    tag,
    permission: 'hook:write',
    needsToken: true,
    params: SubscriptionPath,
    response: { 200: SubscriptionBody },
    handle: ({ tx, now }, { caller, params }) => pauseSubscription(tx, { caller, ...params, now }),
  }),
  route({
    method: 'POST',
    url: '/hooks/v1/subscription/:subscriptionId/resume',
    summary: 'Resume a subscription',
    description: 'Sends again after a pause, or after the service disabled it: first what was collected.',
    tag,
    permission: 'hook:write',
    needsToken: true,
    params: SubscriptionPath,
    response: { 200: SubscriptionBody },
    handle: ({ tx, now }, { caller, params }) => resumeSubscription(tx, { caller, ...params, now }),
  }),
  route({
    method: 'POST',
    url: '/hooks/v1/subscription/:subscriptionId/secret',
    summary: 'Rotate a subscription’s secret',
    description: 'The new one is answered with this once. For a day deliveries are signed with both.',
    tag,
    permission: 'hook:write',
    needsToken: true,
    params: SubscriptionPath,
    response: { 200: SecretRotated },
    answersWithSecrets: true,
    handle: ({ tx, now, platform: { keyring } }, { caller, params }) =>
      rotateSecret(tx, { caller, ...params, keyring, now }),
  }),
]

function readSpan({ from, to, includeDelivered = false }: Static<typeof ReplayInput>) {
  return { from: new Date(from), to: to === undefined ? undefined : new Date(to), includeDelivered }
}
