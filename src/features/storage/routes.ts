import type { IncomingMessage } from 'node:http'
import { route } from '#platform/http/route.ts'
import { Nothing } from '#platform/http/schema.ts'
import { readDocument } from './read-document.ts'
import {
  Base64Document,
  Base64Text,
  DocumentBytes,
  DocumentPath,
  DocumentQuery,
  UploadBody,
  UploadedDocument,
  UploadQuery,
} from './schemas.ts'
import { takeUpload } from './take-upload.ts'
import { uploadDocument } from './upload-document.ts'

export const storageRoutes = [
  route({
    operation: 16,
    method: 'GET',
    url: '/storage/document/:uri',
    summary: 'Download a stored document',
    description:
      'Answers with the bytes and their own content type, also in parts (Range). With base64=true: their Base64 as ' +
      'text, or for Accept: application/json as an object.',
    tag: 'Storage',
    permission: 'document:read',
    params: DocumentPath,
    query: DocumentQuery,
    response: { 200: DocumentBytes, 204: Nothing, 206: DocumentBytes, 304: Nothing },
    responseType: '*/*',
    otherForms: { 'text/plain': Base64Text, 'application/json': Base64Document },
    prepare: ({ platform }, { caller, params, query, headers }) =>
      readDocument(platform, { caller, uri: params.uri, base64: query.base64 ?? false, headers }),
    handle: async (_work, { prepared }) => prepared,
  }),
  route({
    method: 'POST',
    url: '/storage/document',
    summary: 'Upload a document',
    tag: 'Storage',
    permission: 'document:write',
    query: UploadQuery,
    body: UploadBody,
    bodyKind: 'stream',
    takesForm: true,
    response: { 200: UploadedDocument },
    prepare: ({ platform }, { caller, query, stream }) =>
      takeUpload(platform, {
        tenantId: caller.tenantId,
        request: stream as IncomingMessage,
        fileName: query.fileName,
      }),
    handle: ({ tx, now }, { caller, prepared }) => uploadDocument(tx, { caller, upload: prepared, now }),
  }),
]
