import { route } from '#platform/http/route.ts'
import { changeMetadata } from './change-metadata.ts'
import { readMetadata } from './read-metadata.ts'
import { ChangedMetadata, EntityPath, MetadataChange, MetadataEntries } from './schemas.ts'

export const metadataRoutes = [
  route({
    operation: 2,
    method: 'PUT',
    url: '/metadata/list/:entityType/:entityId',
    summary: 'Change metadata',
    description: 'Adds and overwrites the keys named and leaves the others; a null value removes its key.',
    tag: 'Metadata',
    knowsUserInactive: true,
    permission: 'metadata:write',
    params: EntityPath,
    body: MetadataChange,
    response: { 200: ChangedMetadata },
    handle: ({ tx, now }, { caller, params, body }) => changeMetadata(tx, { caller, ...params, change: body, now }),
  }),
  route({
    operation: 3,
    method: 'GET',
    url: '/metadata/:entityType/:entityId',
    summary: 'Read metadata',
    tag: 'Metadata',
    knowsUserInactive: true,
    permission: 'metadata:read',
    params: EntityPath,
    response: { 200: MetadataEntries },
    handle: ({ tx }, { caller, params }) => readMetadata(tx, { caller, ...params }),
  }),
]
