import { route } from '#platform/http/route.ts'
import { Nothing } from '#platform/http/schema.ts'
import { cancelRequest } from './cancel-request.ts'
import { listRequests } from './list-requests.ts'
import { openRequest } from './open-request.ts'
import { readRequest } from './read-request.ts'
import {
  AnyRequestPath,
  CancelBody,
  ListQuery,
  RequestPath,
  SignatureRequestBody,
  SignatureRequestListing,
} from './schemas.ts'

export const signingRoutes = [
  route({
    operation: 1,
    method: 'POST',
    url: '/signing/signaturerequest/:id/cancel',
    summary: 'Cancel a signature request',
    description: 'A Draft, an Open request or one in Error. 204 where it was canceled already.',
    tag: 'Signing',
    permission: 'signaturerequest:cancel',
    params: AnyRequestPath,
    body: CancelBody,
    isBodyOptional: true,
    response: { 200: SignatureRequestBody, 204: Nothing },
    handle: ({ tx, now }, { caller, params, body }) =>
      cancelRequest(tx, { caller, requestId: params.id, reason: body?.reason, now }),
  }),
  route({
    method: 'GET',
    url: '/signing/signaturerequest',
    summary: 'List signature requests, newest first',
    tag: 'Signing',
    permission: 'signaturerequest:read',
    query: ListQuery,
    response: { 200: SignatureRequestListing },
    handle: ({ tx }, { caller, query }) => listRequests(tx, { caller, query }),
  }),
  route({
    method: 'GET',
    url: '/signing/signaturerequest/:id',
    summary: 'Read a signature request',
    tag: 'Signing',
    permission: 'signaturerequest:read',
    params: RequestPath,
    response: { 200: SignatureRequestBody },
    handle: ({ tx }, { caller, params }) => readRequest(tx, { caller, requestId: params.id }),
  }),
  route({
    method: 'POST',
    url: '/signing/signaturerequest/:id/open',
    summary: 'Open a Draft',
    description: 'Each signatory has a personal link from then on.',
    tag: 'Signing',
    permission: 'signaturerequest:open',
    params: RequestPath,
    response: { 200: SignatureRequestBody },
    handle: ({ tx, now, platform }, { caller, params }) =>
      openRequest(tx, { caller, requestId: params.id, keyring: platform.keyring, now }),
  }),
]
