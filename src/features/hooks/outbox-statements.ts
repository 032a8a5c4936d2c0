// The outbox is where the events are handed over: written with each event, emptied by the deliveries.
import { bytes, integer, integers, nullable, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** By key, oldest first. Reach is judged by where the department was when the event happened. */
export const listWaitingEvents = statement({
  name: 'listWaitingEvents',
  params: { tenantId: uuid, above: uuid, after: nullable(uuid), take: integer },
  row: { id: uuid, eventType: text, timestamp: time, requestId: uuid },
  sql: `select e.id, e.type as "eventType", e.at as timestamp, e.request_id as "requestId"
          from outbox o
          join event e on e.tenant_id = o.tenant_id and e.id = o.id
         where o.tenant_id = :tenantId and (:after::uuid is null or o.id > :after)
           and :above::uuid = any(e.department_path)
         order by o.id
         limit :take`,
})

/** What waits in the buckets held, some of each bucket, in an order that keeps each request's own. */
export const listOutbox = statement({
  name: 'listOutbox',
  spansTenants: true,
  params: { buckets: integers },
  row: { tenantId: uuid, id: uuid, bucket: integer },
  sql: `select o.tenant_id as "tenantId", o.id, b.bucket
          from unnest(:buckets::smallint[]) as b (bucket)
         cross join lateral (
               select tenant_id, id from outbox
                where bucket = b.bucket
                order by created_at, request_id, sequence
                limit 500) o
         limit 2000`,
})

const eventRow = {
  id: uuid,
  type: text,
  at: time,
  requestId: uuid,
  sequence: integer,
  signatoryId: nullable(uuid),
  departmentId: uuid,
  departmentPath: uuids,
  body: nullable(bytes),
}
const EVENT = `e.id, e.type, e.at, e.request_id as "requestId", e.sequence, e.signatory_id as "signatoryId",
               e.department_id as "departmentId", e.department_path as "departmentPath", b.body`

/**
 * The events behind outbox rows that are still there. While a table is new the planner knows nothing of it, and may read
 * all that a tenant has for each row: `offset 0` keeps it to one event at a time, and with the request's id whichever
 * index it takes will do.
 */
export const listOutboxEvents = statement({
  name: 'listOutboxEvents',
  params: { tenantId: uuid, ids: uuids },
  row: eventRow,
  sql: `select e.id, e.type, e.at, e.request_id as "requestId", e.sequence, e.signatory_id as "signatoryId",
               e.department_id as "departmentId", e.department_path as "departmentPath",
               (select c.body from event_body c where c.tenant_id = :tenantId and c.event_id = o.id) as body
          from outbox o
         cross join lateral (
               select f.id, f.type, f.at, f.request_id, f.sequence, f.signatory_id, f.department_id, f.department_path
                 from event f where f.tenant_id = :tenantId and f.id = o.id and f.request_id = o.request_id offset 0) e
         where o.tenant_id = :tenantId and o.id = any(:ids)`,
})

/** The events of a span of time, by key: ids begin with their time. */
export const listEventsBetween = statement({
  name: 'listEventsBetween',
  params: { tenantId: uuid, type: text, after: uuid, until: uuid },
  row: eventRow,
  sql: `select ${EVENT}
          from event e
          left join event_body b on b.tenant_id = :tenantId and b.event_id = e.id
         where e.tenant_id = :tenantId and e.id > :after and e.id < :until and e.type = :type
         order by e.id
         limit 500`,
})
