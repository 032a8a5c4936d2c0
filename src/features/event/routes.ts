import { Answer, route } from '#platform/http/route.ts'
import { listHeadKeys } from './history-head.ts'
import { findFeedStart, NOW, readFeed } from './read-feed.ts'
import { readHistory } from './read-history.ts'
import {
  FeedPage,
  FeedQuery,
  FeedStream,
  HistoryKeys,
  HistoryPage,
  HistoryPath,
  HistoryQuery,
  StreamQuery,
} from './schemas.ts'
import { streamFeed } from './stream-feed.ts'

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A proxy that gathers answers before it passes them on would make a stream useless.
  'x-accel-buffering': 'no',
  // Kept for another call, the connection would hold up a server that is stopping.
  connection: 'close',
}

export const eventRoutes = [
  route({
    method: 'GET',
    url: '/event',
    summary: 'Follow events, page by page',
    description:
      'Everything within reach, oldest first. Every page has a cursor; asking after it gives what came since, and misses nothing however late it ' +
      'was committed. The order never changes.',
    tag: 'Event',
    permission: 'event:read',
    knowsUserInactive: true,
    query: FeedQuery,
    response: { 200: FeedPage },
    handle: ({ tx, platform: { keyring } }, { caller, query }) => readFeed(tx, { caller, ...query, keyring }),
  }),
  route({
    method: 'GET',
    url: '/event/stream',
    summary: 'Stream events',
    description:
      'Everything within reach as it happens, as server-sent events: each has the cursor as its id and an item of `GET /event` as its data. Begins after the cursor ' +
      'in `Last-Event-ID` or `after`, without one with what happens from now on.',
    tag: 'Event',
    permission: 'event:read',
    knowsUserInactive: true,
    query: StreamQuery,
    response: { 200: FeedStream },
    responseType: 'text/event-stream',
    handle: async ({ tx, platform }, { caller, query, headers, admitAgain }) => {
      const after = headers['last-event-id'] || query.after || NOW
      const position = await findFeedStart(tx, { tenantId: caller.tenantId, after, keyring: platform.keyring })
      return new Answer(200, streamFeed(platform, { caller, admitAgain, position }), STREAM_HEADERS)
    },
  }),
  route({
    operation: 17,
    method: 'GET',
    url: '/event/signaturerequest/:signatureRequestId',
    summary: 'Read a signature request’s history',
    description: 'Oldest first. Pages joined together can be verified offline: countersign history verify FILE.',
    tag: 'Event',
    permission: 'event:read',
    knowsUserInactive: true,
    params: HistoryPath,
    query: HistoryQuery,
    response: { 200: HistoryPage },
    handle: ({ tx, platform }, { caller, params, query }) =>
      readHistory(tx, { caller, requestId: params.signatureRequestId, ...query, keyring: platform.keyring }),
  }),
  route({
    method: 'GET',
    url: '/event/.well-known/jwks.json',
    summary: 'List history keys',
    description: 'The public keys with which the heads of histories are verified.',
    tag: 'Event',
    permission: 'event:read',
    knowsUserInactive: true,
    response: { 200: HistoryKeys },
    handle: async ({ platform }) => ({ keys: listHeadKeys(platform.keyring) }),
  }),
]
