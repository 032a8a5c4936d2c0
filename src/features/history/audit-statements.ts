import { boolean, bytes, count, integer, nullable, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const listAuditedTenants = statement({
  name: 'listAuditedTenants',
  isGlobal: true,
  params: {},
  row: { id: uuid },
  sql: `select id from tenant order by id`,
})

/** Places by number, each with the event that it is for, whatever is left of it. */
export const listPlacedEvents = statement({
  name: 'listPlacedEvents',
  params: { tenantId: uuid, after: count, size: count },
  row: {
    position: count,
    eventId: uuid,
    isSame: nullable(boolean),
    requestId: nullable(uuid),
    sequence: nullable(integer),
    type: nullable(text),
    at: nullable(time),
    bodyHash: nullable(bytes),
    previousHash: nullable(bytes),
    salt: nullable(bytes),
    body: nullable(bytes),
  },
  sql: `select l.position, l.event_id as "eventId",
               e.request_id = l.request_id and e.request_kind = l.request_kind and e.sequence = l.sequence as "isSame",
               e.request_id as "requestId", e.sequence, e.type, e.at,
               e.body_hash as "bodyHash", e.previous_hash as "previousHash", b.salt, b.body
          from log_entry l
          left join event e on e.tenant_id = l.tenant_id and e.id = l.event_id
          left join event_body b on b.tenant_id = l.tenant_id and b.event_id = l.event_id
         where l.tenant_id = :tenantId and l.position > :after and l.position < :size
         order by l.position
         limit 500`,
})

/** Events by id, each with whether the log knows it or it waits. */
export const listKnownEvents = statement({
  name: 'listKnownEvents',
  params: { tenantId: uuid, after: uuid },
  row: { id: uuid, isKnown: boolean },
  sql: `select e.id,
               exists (select from log_entry l where l.tenant_id = :tenantId and l.request_id = e.request_id
                          and l.request_kind = e.request_kind and l.sequence = e.sequence and l.event_id = e.id)
               or exists (select from log_queue q where q.tenant_id = :tenantId and q.event_id = e.id) as "isKnown"
          from event e
         where e.tenant_id = :tenantId and e.id > :after
         order by e.id
         limit 2000`,
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
