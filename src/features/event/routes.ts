import { route } from '#platform/http/route.ts'
import { listHeadKeys } from './history-head.ts'
import { readHistory } from './read-history.ts'
import { HistoryKeys, HistoryPage, HistoryPath, HistoryQuery } from './schemas.ts'

export const eventRoutes = [
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
