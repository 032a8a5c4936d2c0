import { readPage } from '#platform/http/paging.ts'
import { route } from '#platform/http/route.ts'
import { Listing } from '#platform/http/schema.ts'
import { newId } from '#platform/ids.ts'
import { invariantBroken } from '#platform/errors.ts'
import { addDocument, removeDocument } from './change-documents.ts'
import { createRequest } from './create-request.ts'
import { listDocuments } from './document-statements.ts'
import { answerWith } from './entity-tag.ts'
import { getRequest } from './get-request.ts'
import { listRequests } from './list-requests.ts'
import { putRequest } from './put-request.ts'
import {
  DocumentBody,
  DocumentInput,
  DocumentPath,
  ListingQuery,
  RequestBody,
  RequestInput,
  RequestListing,
  RequestPath,
} from './schemas.ts'

const tag = 'Sealing'

export const sealingRoutes = [
  route({
    operation: 4,
    method: 'POST',
    url: '/sealing/sealingrequest/:sealingRequestId/document',
    summary: 'Add a document to a sealing request',
    tag,
    permission: 'sealingrequest:write',
    params: RequestPath,
    body: DocumentInput,
    response: { 200: DocumentBody },
    handle: ({ tx, now, platform }, { caller, params, body }) =>
      addDocument(tx, {
        caller,
        requestId: params.sealingRequestId,
        given: body,
        limit: platform.config.limits.documents,
        now,
      }),
  }),
  route({
    operation: 5,
    method: 'GET',
    url: '/sealing/sealingrequest/:sealingRequestId/document',
    summary: 'List the documents of a sealing request',
    tag,
    permission: 'sealingrequest:read',
    params: RequestPath,
    response: { 200: Listing(DocumentBody) },
    handle: async ({ tx }, { caller, params }) => {
      const { tenantId, id: requestId } = await getRequest(tx, { caller, requestId: params.sealingRequestId })
      const items = await listDocuments.many(tx, { tenantId, requestId })
      return { total: items.length, items }
    },
  }),
  route({
    operation: 6,
    method: 'DELETE',
    url: '/sealing/sealingrequest/:sealingRequestId/document/:documentId',
    summary: 'Remove a document from a sealing request',
    tag,
    permission: 'sealingrequest:write',
    params: DocumentPath,
    response: { 200: DocumentBody },
    handle: ({ tx, now }, { caller, params }) =>
      removeDocument(tx, { caller, requestId: params.sealingRequestId, documentId: params.documentId, now }),
  }),
  route({
    operation: 7,
    method: 'PUT',
    url: '/sealing/sealingrequest/:sealingRequestId',
    summary: 'Create or change a sealing request',
    description:
      'An id that is not known yet creates the request, as a Draft unless told otherwise; a known one changes the ' +
      'fields that are given. If-Match with an ETag of an earlier answer refuses a change of anything newer.',
    tag,
    permission: 'sealingrequest:write',
    params: RequestPath,
    body: RequestInput,
    response: { 200: RequestBody },
    handle: async ({ tx, now }, { caller, params, body, headers }) =>
      answerWith(
        await putRequest(tx, {
          caller,
          requestId: params.sealingRequestId,
          given: body,
          ifMatch: headers['if-match'],
          now,
        }),
      ),
  }),
  route({
    operation: 8,
    method: 'GET',
    url: '/sealing/sealingrequest',
    summary: 'List sealing requests, newest first',
    tag,
    permission: 'sealingrequest:read',
    query: ListingQuery,
    response: { 200: RequestListing },
    handle: ({ tx }, { caller, query: { skip, take, ...filter } }) =>
      listRequests(tx, { caller, page: readPage({ skip, take }), ...filter }),
  }),
  route({
    method: 'POST',
    url: '/sealing/sealingrequest',
    summary: 'Create a sealing request',
    description: 'Its id is made by the service.',
    tag,
    permission: 'sealingrequest:write',
    body: RequestInput,
    response: { 200: RequestBody },
    handle: async ({ tx, now }, { caller, body }) => {
      const created = await createRequest(tx, { caller, requestId: newId(), given: body, now })
      if (created === undefined) throw invariantBroken('a new id is taken')
      return answerWith(created)
    },
  }),
  route({
    method: 'GET',
    url: '/sealing/sealingrequest/:sealingRequestId',
    summary: 'Read a sealing request',
    tag,
    permission: 'sealingrequest:read',
    params: RequestPath,
    response: { 200: RequestBody },
    handle: async ({ tx }, { caller, params }) =>
      answerWith(await getRequest(tx, { caller, requestId: params.sealingRequestId })),
  }),
]
