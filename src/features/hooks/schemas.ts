import { EVENT_TYPES } from '#features/event/index.ts'
import { Skip, Take } from '#platform/http/paging.ts'
import { Named, DateTime, Int32, Listing, Nullable, Optional, Text, Type, Uuid, Words } from '#platform/http/schema.ts'
import { DELIVERY_STATES } from './delivery-statements.ts'

const URI_LENGTH = 2048
const DESCRIPTION_LENGTH = 1000
const MOST_HEADERS = 20
const HEADER_LENGTH = 4096
export const SUBSCRIPTION_STATES = ['active', 'paused', 'disabled'] as const

const TextMap = (limits: object = {}, value: object = {}) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', ...value },
    ...limits,
  })

export const SupportedHooks = Type.Array(
  Type.Object({
    eventType: Type.String(),
    description: Type.String(),
    payloadSchema: Type.Object(
      { EventType: Type.String(), Timestamp: Type.String(), EventData: TextMap() },
      { description: 'The fields of a delivery, each with its type.' },
    ),
  }),
)

export const SubscriptionInput = Type.Object(
  {
    eventType: Words(EVENT_TYPES),
    uri: Type.String({ minLength: 1, maxLength: URI_LENGTH, description: 'Receives deliveries; HTTPS.' }),
    description: Optional(Text(DESCRIPTION_LENGTH)),
    headers: Optional(TextMap({ maxProperties: MOST_HEADERS }, { maxLength: HEADER_LENGTH })),
    departmentId: Optional(Uuid('Without it: everything within the caller’s reach.')),
    subdepartments: Optional(Type.Boolean({ default: false })),
  },
  { eitherInitial: true },
)

export const SubscriptionCreated = Type.Object({
  id: Uuid(),
  secret: Type.String({ description: 'Verifies the signature of deliveries. Shown this once.' }),
})

export const SubscriptionBody = Named('Subscription', {
  id: Uuid(),
  eventType: Type.String(),
  uri: Type.String(),
  description: Nullable(Type.String()),
  state: Words(SUBSCRIPTION_STATES),
  stateReason: Nullable(Type.String({ description: 'Why it was disabled.' })),
  departmentId: Uuid(),
  subdepartments: Type.Boolean(),
  headerNames: Type.Array(Type.String()),
  createdAt: DateTime(),
})

export const SubscriptionListing = Listing(SubscriptionBody)
export const PageQuery = Type.Object({ skip: Skip(), take: Take() })

// The interface calls the id a string: one that is no UUID is simply not found.
export const SubscriptionPath = Type.Object({ subscriptionId: Type.String() })
export const EventTypeQuery = Type.Object({ eventType: Optional(Text(URI_LENGTH)) })

export const OutboxQuery = Type.Object({
  after: Optional(Uuid('The id of the last event that was read; the answer begins behind it.')),
  take: Take(),
})

export const WaitingEvents = Type.Object({
  items: Type.Array(Type.Object({ id: Uuid(), eventType: Type.String(), timestamp: DateTime(), requestId: Uuid() })),
})

export const DeliveryPath = Type.Object({ subscriptionId: Type.String(), deliveryId: Type.String() })
export const DeliveryQuery = Type.Object({ skip: Skip(), take: Take(), state: Optional(Words(DELIVERY_STATES)) })

const Try = Named('DeliveryTry', {
  number: Int32(),
  at: DateTime(),
  durationMs: Int32(),
  status: Nullable(Int32()),
  error: Nullable(Type.String({ description: 'Why there was no answer, or why it does not count.' })),
  answer: Nullable(Type.String({ description: 'The first 1,024 bytes of the answer.' })),
  request: Type.Object({ method: Type.String(), uri: Type.String(), headers: TextMap() }),
})

export const DeliveryListing = Type.Object({
  total: Int32(),
  totalIsCapped: Type.Boolean({ description: 'True where there are more than 1,000.' }),
  closedUntil: Nullable(DateTime()),
  failingSince: Nullable(DateTime()),
  items: Type.Array(
    Named('Delivery', {
      id: Uuid('The webhook-id of every try; the id of the event.'),
      requestId: Uuid(),
      sequence: Int32(),
      state: Words(DELIVERY_STATES),
      isTest: Type.Boolean(),
      payload: Type.String({ description: 'As it is sent, byte by byte.' }),
      createdAt: DateTime(),
      nextTryAt: Nullable(DateTime()),
      finishedAt: Nullable(DateTime()),
      tries: Type.Array(Try),
    }),
  ),
})

export const DeliveryAccepted = Type.Object({ id: Uuid('Of the delivery.') })

export const ReplayInput = Type.Object(
  {
    from: DateTime(),
    to: Optional(DateTime()),
    includeDelivered: Optional(Type.Boolean({ default: false, description: 'Also what arrived already.' })),
  },
  { eitherInitial: true },
)

export const SecretRotated = Type.Object({
  secret: Type.String({ description: 'Shown this once.' }),
  previousSecretUntil: DateTime(),
})
