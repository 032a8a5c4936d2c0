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
    summary: 'List the kinds of event that can be subscribed to',
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
    summary: 'Subscribe an address to a kind of event',
    description: 'Names may be written with an initial capital. The secret is answered with this once.',
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
    summary: 'List the events that wait to be handed to the subscriptions, oldest first',
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
    summary: 'List what was and will be delivered, newest first, with every try',
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
    summary: 'Send one delivery again',
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
    summary: 'Send again what happened in a span of time',
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
    summary: 'Send a made-up event at once',
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
    summary: 'Stop sending; what happens is collected',
    tag,
    permission: 'hook:write',
    needsToken: true,
    params: SubscriptionPath,
    response: { 200: SubscriptionBody },
    handle: ({ tx }, { caller, params }) => pauseSubscription(tx, { caller, ...params }),
  }),
  route({
    method: 'POST',
    url: '/hooks/v1/subscription/:subscriptionId/resume',
    summary: 'Send again after a pause, or after the service disabled it',
    tag,
    permission: 'hook:write',
    needsToken: true,
    params: SubscriptionPath,
    response: { 200: SubscriptionBody },
    handle: ({ tx }, { caller, params }) => resumeSubscription(tx, { caller, ...params }),
  }),
  route({
    method: 'POST',
    url: '/hooks/v1/subscription/:subscriptionId/secret',
    summary: 'Change the secret; for a day deliveries are signed with both',
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
