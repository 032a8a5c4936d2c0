import { route } from '#platform/http/route.ts'
import { Nothing } from '#platform/http/schema.ts'
import { listChoices } from './authentication.ts'
import { cancelRequest } from './cancel-request.ts'
import { remind } from './flow/remind.ts'
import { retryRequest } from './flow/retry.ts'
import { getEvidence } from './get-evidence.ts'
import { getLink } from './get-link.ts'
import { listRequests } from './list-requests.ts'
import { openRequest } from './open-request.ts'
import { readRequest } from './read-request.ts'
import {
  AnyRequestPath,
  AuthenticationChoices,
  CancelBody,
  EvidenceBytes,
  LinkBody,
  LinkQuery,
  ListQuery,
  RemindedBody,
  RequestPath,
  SignatoryPath,
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
      cancelRequest(tx, { caller, requestId: params.id, reason: body?.reason, onlyFrom: body?.onlyFrom, now }),
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
    url: '/signing/authentication',
    summary: 'Read authentication choices',
    description: 'How signatories can be authenticated and reached in this installation, as it is configured.',
    tag: 'Signing',
    permission: 'signaturerequest:read',
    response: { 200: AuthenticationChoices },
    handle: async ({ platform: { config } }) => listChoices(config),
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
    summary: 'Open a signature request',
    description: 'From Draft to Open. Each signatory has a personal link from then on.',
    tag: 'Signing',
    permission: 'signaturerequest:open',
    params: RequestPath,
    response: { 200: SignatureRequestBody },
    handle: ({ tx, now, platform }, { caller, params }) =>
      openRequest(tx, { caller, requestId: params.id, platform, now }),
  }),
  route({
    method: 'POST',
    url: '/signing/signaturerequest/:id/remind',
    summary: 'Remind signatories',
    description: 'Those who have been invited, each at most once an hour; the answer names whom.',
    tag: 'Signing',
    permission: 'signaturerequest:remind',
    params: RequestPath,
    response: { 200: RemindedBody },
    handle: ({ tx, now, platform }, { caller, params }) => remind(tx, { caller, requestId: params.id, platform, now }),
  }),
  route({
    method: 'GET',
    url: '/signing/signaturerequest/:id/signatory/:signatoryId/link',
    summary: 'Get a signatory’s link',
    description:
      'For delivery by Link and for embedding. Whoever has it can act as the signatory; treat it as a secret.',
    tag: 'Signing',
    permission: 'signaturerequest:link',
    params: SignatoryPath,
    query: LinkQuery,
    response: { 200: LinkBody },
    handle: ({ tx, now, platform }, { caller, params, query }) =>
      getLink(tx, {
        caller,
        requestId: params.id,
        signatoryId: params.signatoryId,
        returnUrl: query.returnUrl,
        platform,
        now,
      }),
  }),
  route({
    method: 'POST',
    url: '/signing/signaturerequest/:id/retry',
    summary: 'Retry a signature request',
    description: 'Seals a request that is in Error, or prepares one that is Open and could not be prepared.',
    tag: 'Signing',
    permission: 'signaturerequest:retry',
    params: RequestPath,
    response: { 200: SignatureRequestBody },
    handle: ({ tx, now }, { caller, params }) => retryRequest(tx, { caller, requestId: params.id, now }),
  }),
  route({
    method: 'GET',
    url: '/signing/signaturerequest/:id/evidence',
    summary: 'Download evidence',
    description: 'A zip with all that is needed to verify the request offline. 204 before the request is Closed.',
    tag: 'Signing',
    permission: 'signaturerequest:read',
    params: RequestPath,
    response: { 200: EvidenceBytes, 204: Nothing },
    responseType: 'application/zip',
    prepare: ({ platform, now }, { caller, params }) => getEvidence(platform, { caller, requestId: params.id, now }),
    handle: async (_work, { prepared }) => prepared,
  }),
]
