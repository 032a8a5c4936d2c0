import { bytes, count, integer, integers, nullable, text, texts, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const listAuditedTenants = statement({
  name: 'listAuditedTenants',
  isGlobal: true,
  params: {},
  row: { id: uuid },
  sql: `select id from tenant order by id`,
})

/** Places by number. What they are for is asked for apart: the log may lie on another machine than the events. */
export const listPlacesAfter = statement({
  name: 'listPlacesAfter',
  params: { tenantId: uuid, after: count, size: count },
  row: { position: count, eventId: uuid, requestId: uuid, requestKind: text, sequence: integer },
  sql: `select position, event_id as "eventId", request_id as "requestId", request_kind as "requestKind", sequence
          from log_entry
         where tenant_id = :tenantId and position > :after and position < :size
         order by position
         limit 500`,
})

/** Events by their ids, whatever is left of them. */
export const listAuditedEvents = statement({
  name: 'listAuditedEvents',
  params: { tenantId: uuid, ids: uuids },
  row: {
    id: uuid,
    requestId: uuid,
    requestKind: text,
    sequence: integer,
    type: text,
    at: time,
    bodyHash: bytes,
    previousHash: bytes,
    salt: nullable(bytes),
    body: nullable(bytes),
  },
  sql: `select e.id, e.request_id as "requestId", e.request_kind as "requestKind", e.sequence, e.type, e.at,
               e.body_hash as "bodyHash", e.previous_hash as "previousHash", b.salt, b.body
          from event e
          left join event_body b on b.tenant_id = :tenantId and b.event_id = e.id
         where e.tenant_id = :tenantId and e.id = any(:ids)`,
})

/** Events by id. */
export const listEventsAfter = statement({
  name: 'listEventsAfter',
  params: { tenantId: uuid, after: uuid },
  row: { id: uuid, requestId: uuid, requestKind: text, sequence: integer },
  sql: `select id, request_id as "requestId", request_kind as "requestKind", sequence
          from event
         where tenant_id = :tenantId and id > :after
         order by id
         limit 2000`,
})

/** Of these events, those that have no place in the log and do not wait for one. */
export const listUnlogged = statement({
  name: 'listUnlogged',
  params: { tenantId: uuid, ids: uuids, requestIds: uuids, requestKinds: texts, sequences: integers },
  row: { id: uuid },
  sql: `select e.id
          from unnest(:ids::uuid[], :requestIds::uuid[], :requestKinds::text[], :sequences::int[])
            as e (id, request_id, request_kind, sequence)
         where not exists (select from log_entry l where l.tenant_id = :tenantId and l.request_id = e.request_id
                              and l.request_kind = e.request_kind and l.sequence = e.sequence and l.event_id = e.id)
           and not exists (select from log_queue q where q.tenant_id = :tenantId and q.event_id = e.id)
         order by e.id`,
})

export const listCheckpoints = statement({
  name: 'listCheckpoints',
  isGlobal: true,
  params: { after: count },
  row: { size: count, note: text, timestamp: bytes },
  sql: `select size, note, timestamp from log_checkpoint where size > :after order by size limit 500`,
})

/** Tiles of a level by number. */
export const listTilesOf = statement({
  name: 'listTilesOf',
  isGlobal: true,
  params: { level: integer, after: count },
  row: { number: count, hashes: bytes },
  sql: `select number, hashes from log_tile where level = :level::smallint and number > :after order by number limit 200`,
})
