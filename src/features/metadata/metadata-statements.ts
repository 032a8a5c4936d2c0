import { count, nullable, oneOf, text, texts, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { ENTITY_TYPES } from './entity.ts'

const entity = { tenantId: uuid, entityType: oneOf(ENTITY_TYPES), entityId: uuid }

/** Until the transaction ends, nobody else changes the metadata of this entity: its keys are counted under this lock. */
export const lockMetadata = statement({
  name: 'lockMetadata',
  params: entity,
  row: { lock: text },
  sql: `select pg_advisory_xact_lock(hashtextextended(entity.tenant_id || entity.type || entity.id, 0))::text as lock
          from (select :tenantId::text as tenant_id, :entityType::text as type, :entityId::text as id) entity`,
})

/** A reference that is not given again stays what it was. */
export const putMetadata = statement({
  name: 'putMetadata',
  params: { ...entity, keys: texts, values: texts, referenceId: nullable(uuid), now: time },
  sql: `insert into metadata as m (tenant_id, entity_type, entity_id, key, value, reference_id, modified_at)
        select :tenantId, :entityType, :entityId, given.key, given.value, :referenceId, :now
          from unnest(:keys::text[], :values::text[]) as given (key, value)
        on conflict (tenant_id, entity_type, entity_id, key) do update
           set value = excluded.value, reference_id = coalesce(excluded.reference_id, m.reference_id),
               modified_at = excluded.modified_at`,
})

export const deleteMetadata = statement({
  name: 'deleteMetadata',
  params: { ...entity, keys: texts },
  sql: `delete from metadata
         where tenant_id = :tenantId and entity_type = :entityType and entity_id = :entityId and key = any(:keys::text[])`,
})

export const countMetadata = statement({
  name: 'countMetadata',
  params: entity,
  row: { total: count },
  sql: `select count(key) as total
          from metadata
         where tenant_id = :tenantId and entity_type = :entityType and entity_id = :entityId`,
})

/** All of an entity's entries: there are never more than an entity may have. */
export const listMetadata = statement({
  name: 'listMetadata',
  params: entity,
  row: { key: text, value: text, entityId: uuid, entityType: oneOf(ENTITY_TYPES), referenceId: nullable(uuid) },
  sql: `select key, value, entity_id as "entityId", entity_type as "entityType", reference_id as "referenceId"
          from metadata
         where tenant_id = :tenantId and entity_type = :entityType and entity_id = :entityId
         order by key collate "C"`,
})

export const deleteMetadataOf = statement({
  name: 'deleteMetadataOf',
  params: { tenantId: uuid, entityIds: uuids },
  sql: `delete from metadata
         where tenant_id = :tenantId and entity_type in ('SignatureRequest', 'Signee', 'Document', 'Archive')
           and entity_id = any(:entityIds)`,
})
