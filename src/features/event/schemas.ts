import { Named, DateTime, Int32, Nullable, Optional, Type, Uuid, Words } from '#platform/http/schema.ts'
import { REQUEST_KINDS } from './event-statements.ts'

const MOST_ON_A_PAGE = 500
const TOKEN_LENGTH = 200

export const HistoryPath = Type.Object({ signatureRequestId: Uuid('Id of the signature request.') })

export const SealingHistoryPath = Type.Object({ sealingRequestId: Uuid('Id of the sealing request.') })

export const HistoryQuery = Type.Object({
  pageSize: Optional(Type.Integer({ format: 'int32', minimum: 1, maximum: MOST_ON_A_PAGE, default: 50 })),
  continuationToken: Optional(Type.String({ maxLength: TOKEN_LENGTH, description: 'Of the page before.' })),
})

const After = Optional(
  Type.String({
    maxLength: TOKEN_LENGTH,
    description: 'The cursor of a page before, or `now` for what happens from now on.',
  }),
)

export const FeedQuery = Type.Object({
  after: After,
  pageSize: Optional(Type.Integer({ format: 'int32', minimum: 1, maximum: MOST_ON_A_PAGE, default: 50 })),
})

export const StreamQuery = Type.Object({ after: After })

export const FeedStream = Type.String({ description: 'Server-sent events, without end.' })

const Hex = (description: string) => Type.String({ description: `${description}, in hexadecimal.` })

const Actor = Type.Object({ kind: Words(['user', 'key', 'signatory', 'system']), id: Nullable(Uuid()) })

export const HistoryEvent = Named('HistoryEvent', {
  id: Uuid(),
  sequenceNumber: Int32(),
  eventType: Type.String(),
  timestamp: DateTime(),
  actor: Nullable(Actor),
  signatoryId: Nullable(Uuid()),
  data: Nullable(Type.Record(Type.String(), Type.Unknown())),
  erased: Type.Boolean({ description: 'True where actor, data, salt and body were erased; the chain still holds.' }),
  hash: Hex('Hash of this event'),
  previousHash: Hex('Hash of the event before'),
  bodyHash: Hex('SHA-256 of salt and body'),
  salt: Nullable(Type.String({ description: 'Base64.' })),
  body: Nullable(Type.String({ description: 'The bytes behind actor and data, in Base64.' })),
})

const FeedEvent = Named('FeedEvent', {
  id: Uuid('Also the webhook-id of its deliveries.'),
  eventType: Type.String(),
  timestamp: DateTime(),
  requestKind: Words(REQUEST_KINDS),
  requestId: Uuid('Of the signature request, sealing request or subscription that it happened to.'),
  sequenceNumber: Int32(),
  departmentId: Uuid(),
  signatoryId: Nullable(Uuid()),
  actor: Nullable(Actor),
  data: Nullable(Type.Record(Type.String(), Type.Unknown())),
  erased: Type.Boolean({ description: 'True where actor and data were erased.' }),
  payload: Nullable(
    Type.Object(
      { EventType: Type.String(), Timestamp: DateTime(), EventData: Type.Record(Type.String(), Type.Unknown()) },
      { description: 'What a webhook carries; null for kinds that can not be subscribed to.' },
    ),
  ),
})

export const FeedPage = Named('FeedPage', {
  items: Type.Array(FeedEvent),
  cursor: Type.String({ description: 'Ask after this for what comes next, also where this page is empty.' }),
  hasMore: Type.Boolean({ description: 'False where this page ends with what has happened until now.' }),
})

const HeadKey = Type.Object({
  kty: Type.String(),
  crv: Type.String(),
  x: Type.String(),
  kid: Type.String(),
  use: Type.String(),
  alg: Type.String(),
})

export const HistoryPage = Named('HistoryPage', {
  tenantId: Uuid(),
  requestId: Uuid(),
  items: Type.Array(HistoryEvent),
  continuationToken: Nullable(Type.String({ description: 'Null on the last page.' })),
  head: Nullable(
    Type.Object(
      {
        sequence: Int32(),
        hash: Hex('Hash of the last event'),
        signature: Type.String({ description: 'Ed25519, in Base64.' }),
        keyId: Type.String(),
        keys: Type.Array(HeadKey),
      },
      { description: 'On the last page: the signed end of the history, so that cutting it short is noticed.' },
    ),
  ),
})

export const HistoryKeys = Type.Object({ keys: Type.Array(HeadKey) })
