import { count, integer, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** Where the events of a request lie in the log. */
export const listPlaces = statement({
  name: 'listPlaces',
  params: { tenantId: uuid, requestId: uuid, requestKind: text },
  row: { sequence: integer, position: count },
  sql: `select sequence, position
          from log_entry
         where tenant_id = :tenantId and request_id = :requestId and request_kind = :requestKind
         order by sequence, position`,
})

/** How many events of a request wait for a place. */
export const countWaiting = statement({
  name: 'countWaiting',
  params: { tenantId: uuid, requestId: uuid, requestKind: text },
  row: { waiting: count },
  sql: `select count(*) as waiting
          from event_chain c
          join log_queue q on q.tenant_id = :tenantId and q.event_id between c.first_event and c.last_event
                          and q.request_id = :requestId and q.request_kind = :requestKind
         where c.tenant_id = :tenantId and c.request_id = :requestId and c.request_kind = :requestKind`,
})

/** Events of a span of time that are neither in the log nor wait for it are made to wait. */
export const queuePassedOver = statement({
  name: 'queuePassedOver',
  params: { tenantId: uuid, from: time, until: time },
  sql: `insert into log_queue (tenant_id, event_id, request_id, request_kind, sequence, at, hash, stamp_soon)
        select e.tenant_id, e.id, e.request_id, e.request_kind, e.sequence, e.at, e.hash, false
          from event e
         where e.tenant_id = :tenantId and e.id >= first_id_at(:from::timestamptz) and e.id < first_id_at(:until::timestamptz)
           and not exists (select from log_queue q where q.tenant_id = :tenantId and q.event_id = e.id)
           and not exists (select from log_entry l where l.tenant_id = :tenantId and l.request_id = e.request_id
                              and l.request_kind = e.request_kind and l.sequence = e.sequence)
        on conflict do nothing`,
})
