import { Named, Listing, Nullable, Optional, Text, Type, Uuid, Words } from '#platform/http/schema.ts'
import { ENTITY_TYPES } from './entity.ts'

const KEY_LENGTH = 200
const VALUE_LENGTH = 4000

/** The most keys that one entity has. */
export const MOST_KEYS = 100

export const EntityPath = Type.Object({
  entityType: Type.String({ description: `One of ${ENTITY_TYPES.join(', ')}, in any case.` }),
  entityId: Uuid('A signature request, a signatory, a document, or an archived signature request.'),
})

/** One body may replace every key that an entity can have, within the MiB of a body; the rest goes with the next. */
export const MetadataChange = Type.Object({
  metadata: Type.Array(
    Type.Object({
      key: Text(KEY_LENGTH, { minLength: 1 }),
      value: Type.Union([Text(VALUE_LENGTH), Type.Null()], { keepsNull: true, description: 'null removes the key.' }),
    }),
    { minItems: 1, maxItems: 2 * MOST_KEYS },
  ),
  referenceId: Optional(Uuid()),
  departmentId: Optional(Uuid()),
  creatorId: Optional(Uuid()),
})

const entry = {
  key: Type.String(),
  entityId: Uuid(),
  entityType: Words(ENTITY_TYPES),
  referenceId: Nullable(Uuid()),
}

export const MetadataEntries = Listing(Named('MetadataEntry', { ...entry, value: Type.String() }))

/** The first entry of the body, null where it was removed, with all that the entity has now beside it. */
export const ChangedMetadata = Type.Object({
  ...entry,
  value: Nullable(Type.String()),
  ...MetadataEntries.properties,
})
