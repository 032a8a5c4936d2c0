import { route } from '#platform/http/route.ts'
import { createInOneStep, createTogether } from './create-in-one-step.ts'
import { prepareRequest } from './prepare-request.ts'
import { CreatedRequest, SignatureRequestPayload } from './schemas.ts'

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
      createInOneStep(tx, { caller, body, preparation: prepared, keyring: platform.keyring, now }),
    together: {
      // An id that somebody chose may be taken, and whose it is has to be asked.
      suits: ({ body }) => body.id === undefined,
      handle: ({ tx, platform: { keyring } }, calls) =>
        createTogether(
          tx,
          calls.map(({ call: { caller, body, prepared }, now }) => ({
            caller,
            body,
            preparation: prepared,
            keyring,
            now,
          })),
        ),
    },
  }),
]
