import { count, integer, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** Where the events of a signature request lie in the log. */
export const listPlaces = statement({
  name: 'listPlaces',
  params: { tenantId: uuid, requestId: uuid },
  row: { sequence: integer, position: count },
  sql: `select sequence, position
          from log_entry
         where tenant_id = :tenantId and request_id = :requestId and request_kind = 'signaturerequest'
         order by sequence, position`,
})

/** How many events of a signature request wait for a place. */
export const countWaiting = statement({
  name: 'countWaiting',
  params: { tenantId: uuid, requestId: uuid },
  row: { waiting: count },
  sql: `select count(*) as waiting
          from event_chain c
          join log_queue q on q.tenant_id = :tenantId and q.event_id between c.first_event and c.last_event
                          and q.request_id = :requestId and q.request_kind = 'signaturerequest'
         where c.tenant_id = :tenantId and c.request_id = :requestId and c.request_kind = 'signaturerequest'`,
})
