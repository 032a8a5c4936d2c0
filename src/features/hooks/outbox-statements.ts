// The outbox is where the events are handed over: written with each event, emptied by the deliveries.
import { integer, nullable, text, time, uuid } from '#platform/db/columns.ts'
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
