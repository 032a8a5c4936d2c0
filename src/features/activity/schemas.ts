import { Take } from '#platform/http/paging.ts'
import { DateTime, Named, Nullable, Optional, Type, Uuid, Words } from '#platform/http/schema.ts'
import { ACTIONS, TARGET_TYPES, type Details } from './activity.ts'

export const ActivityQuery = Type.Object({
  departmentId: Optional(Uuid('Only what was done in this department.')),
  actorId: Optional(Uuid('Only what this user did, or the service user of a key.')),
  targetType: Optional(Words(TARGET_TYPES)),
  targetId: Optional(Uuid('Only what was done to this thing.')),
  from: Optional(DateTime()),
  to: Optional(DateTime()),
  before: Optional(Uuid('The id of the last row that was read; the answer begins behind it.')),
  take: Take(),
})

const NullableName = () => Nullable(Type.String())

export const ActivityList = Type.Object({
  items: Type.Array(
    Named('Activity', {
      id: Uuid(),
      timestamp: DateTime(),
      action: Words(ACTIONS),
      actor: Type.Object({ kind: Words(['user', 'key', 'commandline']), id: Uuid(), name: NullableName() }),
      target: Type.Object({ type: Words(TARGET_TYPES), id: Uuid(), name: NullableName() }),
      departmentId: Uuid(),
      details: Type.Unsafe<Details>({
        type: 'object',
        description: 'For instance which fields were changed; never their values.',
      }),
      requestId: Nullable(Type.String({ description: 'The X-Request-Id of the call.' })),
    }),
  ),
})
