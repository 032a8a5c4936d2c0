import { route } from '#platform/http/route.ts'
import { Nothing } from '#platform/http/schema.ts'
import { reportArchiving } from './report-archiving.ts'
import { ArchivingUpdate, RequestPath } from './schemas.ts'

export const archivingRoutes = [
  route({
    operation: 18,
    method: 'PATCH',
    url: '/archiving/signaturerequest/:id',
    summary: 'Set an archiving status',
    description: 'Reports how the archiving of a signature request stands.',
    tag: 'Archiving',
    permission: 'signaturerequest:archive',
    params: RequestPath,
    body: ArchivingUpdate,
    response: { 202: Nothing },
    handle: ({ tx, now }, { caller, params, body }) =>
      reportArchiving(tx, { caller, requestId: params.id, update: body, now }),
  }),
]
