// Whoever changes what waits in a lane holds its row first, so that no delivery is left behind without a wake-up. Lanes
// are always locked in the order of their ids.
import { boolean, count, integer, integers, nullable, time, times, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** Lanes of the buckets held that have something to send, those that wait longest first. */
export const listDueLanes = statement({
  name: 'listDueLanes',
  spansTenants: true,
  params: { buckets: integers, busy: uuids, now: time },
  row: {
    tenantId: uuid,
    subscriptionId: uuid,
    bucket: integer,
    isRunning: boolean,
    allowed: integer,
    closedUntil: nullable(time),
  },
  sql: `select tenant_id as "tenantId", subscription_id as "subscriptionId", bucket, is_running as "isRunning", allowed,
               closed_until as "closedUntil"
          from lane
         where bucket = any(:buckets::smallint[]) and due_at <= :now and subscription_id <> all(:busy::uuid[])
         order by due_at
         limit 100`,
})

export const ensureLanes = statement({
  name: 'ensureLanes',
  params: { tenantId: uuid, subscriptionIds: uuids, bucket: integer },
  sql: `insert into lane (tenant_id, subscription_id, bucket)
        select :tenantId::uuid, id, :bucket::smallint from unnest(:subscriptionIds::uuid[]) as g (id) order by id
        on conflict (tenant_id, subscription_id) do nothing`,
})

const lane = {
  subscriptionId: uuid,
  isRunning: boolean,
  allowed: integer,
  failures: integer,
  trips: integer,
  closedUntil: nullable(time),
  failingSince: nullable(time),
}

export const lockLanes = statement({
  name: 'lockLanes',
  params: { tenantId: uuid, subscriptionIds: uuids },
  row: lane,
  sql: `select subscription_id as "subscriptionId", is_running as "isRunning", allowed, failures, trips,
               closed_until as "closedUntil", failing_since as "failingSince"
          from lane
         where tenant_id = :tenantId and subscription_id = any(:subscriptionIds)
         order by subscription_id
           for update`,
})

export const findLane = statement({
  name: 'findLane',
  params: { tenantId: uuid, subscriptionId: uuid },
  row: { closedUntil: nullable(time), failingSince: nullable(time) },
  sql: `select closed_until as "closedUntil", failing_since as "failingSince" from lane
         where tenant_id = :tenantId and subscription_id = :subscriptionId`,
})

/** Whether this worker still holds the bucket: one that was paused and comes back too late changes nothing. */
export const holdsBucket = statement({
  name: 'holdsBucket',
  isGlobal: true,
  params: { bucket: integer, owner: uuid, generation: count },
  row: { isHeld: boolean },
  sql: `select exists (select from bucket_lease where bucket = :bucket and owner = :owner and generation = :generation
                          and expires_at > now()) as "isHeld"`,
})

/** New deliveries are there. A lane that is closed stays so until its time. */
export const wakeLanes = statement({
  name: 'wakeLanes',
  params: { tenantId: uuid, subscriptionIds: uuids, now: time },
  sql: `update lane set due_at = greatest(closed_until, least(due_at, :now))
         where tenant_id = :tenantId and subscription_id = any(:subscriptionIds) and is_running
           and (due_at is null or due_at > :now)`,
})

/** When each lane's next delivery is due; a lane that does not run waits for nothing but tests. */
const NEXT_DUE = `(select greatest(l.closed_until, d.due_at) from hook_delivery d
                    where d.tenant_id = :tenantId and d.subscription_id = l.subscription_id and d.due_at is not null
                      and d.due_at <= case when l.is_running then 'infinity'::timestamptz else 'epoch' end
                    order by d.due_at limit 1)`

export const changeLanes = statement({
  name: 'changeLanes',
  params: {
    tenantId: uuid,
    subscriptionIds: uuids,
    allowed: integers,
    failures: integers,
    trips: integers,
    closedUntils: times,
    failingSinces: times,
  },
  sql: `update lane l
           set allowed = g.allowed, failures = g.failures, trips = g.trips,
               closed_until = g.closed_until,
               failing_since = g.failing_since
          from unnest(:subscriptionIds::uuid[], :allowed::int[], :failures::int[], :trips::int[], :closedUntils::timestamptz[],
                      :failingSinces::timestamptz[])
            as g (subscription_id, allowed, failures, trips, closed_until, failing_since)
         where l.tenant_id = :tenantId and l.subscription_id = g.subscription_id
           and (l.allowed, l.failures, l.trips, l.closed_until, l.failing_since) is distinct from
               (g.allowed, g.failures, g.trips, g.closed_until, g.failing_since)`,
})

/** Sets the lanes' alarm clocks by what waits in them now. */
export const settleLanes = statement({
  name: 'settleLanes',
  params: { tenantId: uuid, subscriptionIds: uuids },
  sql: `update lane set due_at = n.due_at
          from (select l.subscription_id, ${NEXT_DUE} as due_at
                  from lane l
                 where l.tenant_id = :tenantId and l.subscription_id = any(:subscriptionIds)) n
         where lane.tenant_id = :tenantId and lane.subscription_id = n.subscription_id
           and lane.due_at is distinct from n.due_at`,
})

/** Stops or starts a lane. One that starts does so carefully, and forgets its failures. */
export const runLanes = statement({
  name: 'runLanes',
  params: { tenantId: uuid, subscriptionIds: uuids, isRunning: boolean },
  sql: `update lane
           set is_running = :isRunning, allowed = 1, failures = 0, trips = 0, closed_until = null, failing_since = null
         where tenant_id = :tenantId and subscription_id = any(:subscriptionIds)`,
})

/** A person wants to know now: the next try is not put off. */
export const hurryLane = statement({
  name: 'hurryLane',
  params: { tenantId: uuid, subscriptionId: uuid, now: time },
  sql: `update lane set due_at = :now, closed_until = case when closed_until > :now then :now else closed_until end
         where tenant_id = :tenantId and subscription_id = :subscriptionId`,
})

export const deleteLane = statement({
  name: 'deleteLane',
  params: { tenantId: uuid, subscriptionId: uuid },
  sql: `delete from lane where tenant_id = :tenantId and subscription_id = :subscriptionId`,
})
