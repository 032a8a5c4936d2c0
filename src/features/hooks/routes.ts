import { readPage } from '#platform/http/paging.ts'
import { route } from '#platform/http/route.ts'
import { Nothing } from '#platform/http/schema.ts'
import { createSubscription } from './create-subscription.ts'
import { listSupportedHooks } from './event-kinds.ts'
import { listWaitingEvents } from './outbox-statements.ts'
import { deleteSubscription, getSubscription, listReachableSubscriptions } from './read-subscriptions.ts'
import {
  EventTypeQuery,
  OutboxQuery,
  PageQuery,
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
]
