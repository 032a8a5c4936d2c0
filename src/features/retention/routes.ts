import { route } from '#platform/http/route.ts'
import { eraseSignatory } from './erase-person.ts'
import { ErasureBody, ErasureResult } from './schemas.ts'

export const retentionRoutes = [
  route({
    method: 'POST',
    url: '/signing/erasure',
    summary: 'Erase a person',
    description:
      'Erases a signatory from every finished request within reach: name, addresses, identifier, drawn mark, metadata, ' +
      'and what the history told about the person. Histories still verify. Signed files and evidence stay until their ' +
      'request is deleted.',
    tag: 'Signing',
    permission: 'person:erase',
    body: ErasureBody,
    response: { 200: ErasureResult },
    handle: ({ tx, now }, { caller, body }) => eraseSignatory(tx, { caller, email: body.email, now }),
  }),
]
