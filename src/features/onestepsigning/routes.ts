import { SignatureRequestBody } from '#features/signing/index.ts'
import { route } from '#platform/http/route.ts'
import { changeInOneStep } from './change-in-one-step.ts'
import { createInOneStep, createTogether } from './create-in-one-step.ts'
import { prepareRequest } from './prepare-request.ts'
import { CreatedRequest, DraftPath, DraftPayload, SignatureRequestPayload } from './schemas.ts'

export const onestepsigningRoutes = [
  route({
    operation: 14,
    method: 'POST',
    url: '/onestepsigning/signaturerequest',
    summary: 'Create a signature request',
    description: 'Everything is on disk before the answer is sent.',
    tag: 'One-step signing',
    permission: 'signaturerequest:create',
    body: SignatureRequestPayload,
    bodyKind: 'documents',
    response: { 202: CreatedRequest },
    prepare: prepareRequest,
    handle: ({ tx, now, platform }, { caller, body, prepared }) =>
      createInOneStep(tx, { caller, body, preparation: prepared, platform, now }),
    together: {
      // An id that somebody chose may be taken, and whose it is has to be asked.
      suits: ({ body }) => body.id === undefined,
      handle: ({ tx, platform }, calls) =>
        createTogether(
          tx,
          calls.map(({ call: { caller, body, prepared }, now }) => ({
            caller,
            body,
            preparation: prepared,
            platform,
            now,
          })),
        ),
    },
  }),
  route({
    method: 'PUT',
    url: '/onestepsigning/signaturerequest/:id',
    summary: 'Change a draft',
    description:
      'Puts all of what is given in the place of what stood in the Draft, which keeps its id and its history; its ' +
      'people and documents get new ids. With the status Open it is opened as well.',
    tag: 'One-step signing',
    permission: 'signaturerequest:change',
    params: DraftPath,
    body: DraftPayload,
    bodyKind: 'documents',
    response: { 200: SignatureRequestBody },
    prepare: prepareRequest,
    handle: ({ tx, now, platform }, { caller, params, body, prepared }) =>
      changeInOneStep(tx, { caller, requestId: params.id, body, preparation: prepared, platform, now }),
  }),
]
