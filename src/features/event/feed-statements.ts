// The feed: every event of a tenant under a position that is given once, when the event leaves the outbox.
import { boolean, bytes, count, integer, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { REQUEST_KINDS } from './event-statements.ts'

/**
 * Takes events out of the outbox and gives each its position. The head's row stays locked until the commit, so positions
 * become visible in their order. Where two workers take the same events, the second finds none of them left.
 */
export const moveToFeed = statement({
  name: 'moveToFeed',
  params: { tenantId: uuid, ids: uuids, departmentIds: uuids },
  sql: `with gone as (
          delete from outbox where tenant_id = :tenantId::uuid and id = any(:ids::uuid[])
          returning id, created_at, request_id, sequence
        ), head as (
          insert into event_feed_head (tenant_id, last_position)
          select :tenantId::uuid, count(*) from gone
          on conflict (tenant_id) do update set last_position = event_feed_head.last_position + excluded.last_position
          returning last_position
        ), placed as (
          select id, row_number() over (order by created_at desc, request_id desc, sequence desc) - 1 as before_last from gone
        )
        insert into event_feed (tenant_id, position, event_id, department_id)
        select :tenantId::uuid, head.last_position - placed.before_last, g.id, g.department_id
          from unnest(:ids::uuid[], :departmentIds::uuid[]) as g (id, department_id)
          join placed on placed.id = g.id
         cross join head`,
})

/** No row before the first event. */
export const findFeedHead = statement({
  name: 'findFeedHead',
  params: { tenantId: uuid },
  row: { lastPosition: count },
  sql: `select last_position as "lastPosition" from event_feed_head where tenant_id = :tenantId`,
})

/**
 * The events between two positions that the caller reaches, in order. The inner limit is written out, and no page is
 * longer: as a parameter alone it would make the planner expect a tenth of the table, and read it.
 */
export const listFeed = statement({
  name: 'listFeed',
  params: { tenantId: uuid, after: count, until: count, above: uuid, isTenantWide: boolean, limit: integer },
  row: {
    position: count,
    id: uuid,
    type: text,
    at: time,
    requestId: uuid,
    requestKind: oneOf(REQUEST_KINDS),
    sequence: integer,
    signatoryId: nullable(uuid),
    departmentId: uuid,
    body: nullable(bytes),
  },
  sql: `select f.position, e.id, e.type, e.at, e.request_id as "requestId", e.request_kind as "requestKind", e.sequence,
               e.signatory_id as "signatoryId", e.department_id as "departmentId", b.body
          from (select w.position, w.event_id
                  from event_feed w
                 where w.tenant_id = :tenantId and w.position > :after and w.position <= :until
                   and (:isTenantWide or exists (
                         select from department d
                          where d.tenant_id = :tenantId and d.id = w.department_id and :above::uuid = any(d.path)))
                 order by w.position
                 limit 500) f
          join event e on e.tenant_id = :tenantId and e.id = f.event_id
          left join event_body b on b.tenant_id = :tenantId and b.event_id = f.event_id
         order by f.position
         limit :limit`,
})
