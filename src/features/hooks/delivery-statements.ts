import {
  boolean,
  integer,
  integers,
  nullable,
  oneOf,
  text,
  texts,
  time,
  times,
  uuid,
  uuids,
} from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const DELIVERY_STATES = ['waiting', 'delivered', 'parked'] as const

/**
 * Only the first waiting delivery of a request is due; the others follow when it is done. Repeats are left alone. An
 * earlier one is looked for with `limit 1`: of a `not exists` the planner may make a table of all that wait.
 */
export const insertDeliveries = statement({
  name: 'insertDeliveries',
  params: {
    tenantId: uuid,
    subscriptionIds: uuids,
    ids: uuids,
    requestIds: uuids,
    sequences: integers,
    payloads: texts,
    now: time,
  },
  row: { requestId: uuid },
  sql: `with given as (
          select g.*, row_number() over (partition by g.subscription_id, g.request_id order by g.sequence) as place
            from unnest(:subscriptionIds::uuid[], :ids::uuid[], :requestIds::uuid[], :sequences::int[], :payloads::text[])
              as g (subscription_id, id, request_id, sequence, payload)
        )
        insert into hook_delivery (tenant_id, subscription_id, id, request_id, sequence, payload, state, due_at, created_at)
        select :tenantId::uuid, g.subscription_id, g.id, g.request_id, g.sequence, g.payload, 'waiting',
               case when g.place = 1 and (
                 select w.id from hook_delivery w
                  where w.tenant_id = :tenantId::uuid and w.subscription_id = g.subscription_id
                    and w.request_id = g.request_id and w.state = 'waiting'
                  limit 1) is null
               then :now::timestamptz end, :now::timestamptz
          from given g
        on conflict (tenant_id, subscription_id, id) do nothing
        returning request_id as "requestId"`,
})

/** A test goes before everything else, whatever waits. */
export const insertTestDelivery = statement({
  name: 'insertTestDelivery',
  params: { tenantId: uuid, subscriptionId: uuid, id: uuid, payload: text, now: time },
  sql: `insert into hook_delivery (tenant_id, subscription_id, id, request_id, sequence, payload, is_test, state, due_at, created_at)
        values (:tenantId, :subscriptionId, :id, :id, 1, :payload, true, 'waiting', 'epoch', :now)`,
})

/** What is due in these lanes, each up to a moment of its own and as many as it has room for. The inner limit is written
 *  out: as a parameter it would make the planner expect a tenth of the table, and read it. */
export const listDueDeliveries = statement({
  name: 'listDueDeliveries',
  params: { tenantId: uuid, subscriptionIds: uuids, untils: times, rooms: integers, running: uuids },
  row: {
    subscriptionId: uuid,
    id: uuid,
    requestId: uuid,
    sequence: integer,
    payload: text,
    isTest: boolean,
    tries: integer,
    triesBefore: integer,
  },
  sql: `select d.subscription_id as "subscriptionId", d.id, d.request_id as "requestId", d.sequence, d.payload,
               d.is_test as "isTest", d.tries, d.tries_before as "triesBefore"
          from unnest(:subscriptionIds::uuid[], :untils::timestamptz[], :rooms::int[]) as l (subscription_id, until, room)
         cross join lateral (
               select f.subscription_id, f.id, f.request_id, f.sequence, f.payload, f.is_test, f.tries, f.tries_before
                 from (select w.subscription_id, w.id, w.request_id, w.sequence, w.payload, w.is_test, w.tries,
                              w.tries_before
                         from hook_delivery w
                        where w.tenant_id = :tenantId and w.subscription_id = l.subscription_id
                          and w.due_at is not null and w.due_at <= l.until
                          and w.request_id <> all(:running::uuid[])
                        order by w.due_at, w.id
                        limit 10) f
                limit l.room) d`,
})

/** Writes how tries ended. One that was recorded already, or belongs to another try, is left alone. */
export const recordTries = statement({
  name: 'recordTries',
  params: {
    tenantId: uuid,
    subscriptionIds: uuids,
    ids: uuids,
    requestIds: uuids,
    numbers: integers,
    states: texts,
    dueAts: times,
    ats: times,
    durations: integers,
    statuses: integers,
    errors: texts,
    answers: texts,
  },
  sql: `with given as (
          select * from unnest(:subscriptionIds::uuid[], :ids::uuid[], :requestIds::uuid[], :numbers::int[], :states::text[],
                               :dueAts::timestamptz[], :ats::timestamptz[], :durations::int[], :statuses::int[], :errors::text[],
                               :answers::text[])
            as g (subscription_id, id, request_id, number, state, due_at, at, duration_ms, status, error, answer)
        ), done as (
          update hook_delivery d
             set tries = g.number, state = g.state,
                 -- A replay may have put an earlier one before it in the meantime.
                 due_at = case when g.state = 'waiting' and (
                            select w.id from hook_delivery w
                             where w.tenant_id = :tenantId and w.subscription_id = d.subscription_id
                               and w.request_id = d.request_id and w.state = 'waiting' and w.sequence < d.sequence
                             limit 1) is null
                          then g.due_at end,
                 finished_at = case when g.state <> 'waiting' then g.at end
            from given g
           where d.tenant_id = :tenantId and d.subscription_id = g.subscription_id and d.id = g.id
             and d.request_id = g.request_id -- So that any of the indexes will do.
             -- Written so that the index of what waits is none of them: while few are believed to wait, all would be read.
             and d.tries = g.number - 1 and d.state || '' = 'waiting'
          returning d.subscription_id, d.id
        )
        insert into hook_attempt (tenant_id, subscription_id, delivery_id, number, at, duration_ms, status, error, answer)
        select :tenantId::uuid, g.subscription_id, g.id, g.number, g.at, g.duration_ms, nullif(g.status, 0),
               nullif(g.error, ''), nullif(g.answer, '')
          from given g join done on done.subscription_id = g.subscription_id and done.id = g.id`,
})

/**
 * Lets the first waiting delivery of each of these requests go, unless it has its time already. Mostly there is none: then
 * the lists are empty, and nothing else is read, however little the planner knows of a table that is new.
 */
export const releaseNext = statement({
  name: 'releaseNext',
  params: { tenantId: uuid, subscriptionIds: uuids, requestIds: uuids, now: time },
  sql: `with next as materialized (
          select f.subscription_id, n.id
            from (select distinct subscription_id, request_id
                    from unnest(:subscriptionIds::uuid[], :requestIds::uuid[]) as g (subscription_id, request_id)) f
           cross join lateral (
                 select w.id, w.due_at from hook_delivery w
                  where w.tenant_id = :tenantId and w.subscription_id = f.subscription_id
                    and w.request_id = f.request_id and w.state = 'waiting'
                  order by w.sequence limit 1) n
           where n.due_at is null
        )
        update hook_delivery d set due_at = :now
         where d.tenant_id = :tenantId
           and d.subscription_id = any(array(select subscription_id from next)) and d.id = any(array(select id from next))
           and (d.subscription_id, d.id) in (select subscription_id, id from next)`,
})

/** Begins the schedule of finished deliveries anew. Which of them are due is for `restoreOrder` to say. */
export const requeueDeliveries = statement({
  name: 'requeueDeliveries',
  params: { tenantId: uuid, subscriptionId: uuid, ids: uuids, states: texts },
  row: { requestId: uuid },
  sql: `update hook_delivery set state = 'waiting', tries_before = tries, due_at = null, finished_at = null
         where tenant_id = :tenantId and subscription_id = :subscriptionId and id = any(:ids) and state = any(:states)
        returning request_id as "requestId"`,
})

/** Of the waiting deliveries of these requests the first alone is due: replays may have put one before it. */
export const restoreOrder = statement({
  name: 'restoreOrder',
  params: { tenantId: uuid, subscriptionId: uuid, requestIds: uuids, now: time },
  sql: `update hook_delivery d set due_at = case when d.sequence = f.first then least(d.due_at, :now) end
          from (select w.request_id, min(w.sequence) as first from hook_delivery w
                 where w.tenant_id = :tenantId and w.subscription_id = :subscriptionId and w.request_id = any(:requestIds)
                   and w.state = 'waiting' group by w.request_id) f
         where d.tenant_id = :tenantId and d.subscription_id = :subscriptionId and d.request_id = f.request_id
           and d.state = 'waiting' and (d.due_at is not null or d.sequence = f.first)`,
})

const delivery = {
  id: uuid,
  requestId: uuid,
  sequence: integer,
  state: oneOf(DELIVERY_STATES),
  isTest: boolean,
  payload: text,
  createdAt: time,
  nextTryAt: nullable(time),
  finishedAt: nullable(time),
}

const page = {
  tenantId: uuid,
  subscriptionId: uuid,
  state: nullable(oneOf(DELIVERY_STATES)),
  skip: integer,
  take: integer,
}

/** Newest first, by the event's own id. What waits behind another of its request has no time yet. */
export const listDeliveries = statement({
  name: 'listDeliveries',
  params: page,
  row: delivery,
  sql: `select id, request_id as "requestId", sequence, state, is_test as "isTest", payload, created_at as "createdAt",
               case when due_at is not null then greatest(due_at, created_at) end as "nextTryAt", finished_at as "finishedAt"
          from hook_delivery
         where tenant_id = :tenantId and subscription_id = :subscriptionId and (:state::text is null or state = :state)
         order by id desc
        offset :skip limit :take`,
})

export const findDelivery = statement({
  name: 'findDelivery',
  params: { tenantId: uuid, subscriptionId: uuid, id: uuid },
  row: { state: oneOf(DELIVERY_STATES) },
  sql: `select state from hook_delivery where tenant_id = :tenantId and subscription_id = :subscriptionId and id = :id`,
})

/** Counts no further than the limit; the answer then says so. */
export const countDeliveries = statement({
  name: 'countDeliveries',
  params: { tenantId: uuid, subscriptionId: uuid, state: nullable(oneOf(DELIVERY_STATES)) },
  row: { total: integer },
  sql: `select count(*)::int as total from (
          select from hook_delivery
           where tenant_id = :tenantId and subscription_id = :subscriptionId and (:state::text is null or state = :state)
           limit 1001) counted`,
})

/** The last tries of each of the same deliveries, oldest first. */
export const listTries = statement({
  name: 'listTries',
  params: page,
  row: {
    deliveryId: uuid,
    number: integer,
    at: time,
    durationMs: integer,
    status: nullable(integer),
    error: nullable(text),
    answer: nullable(text),
  },
  sql: `select t.delivery_id as "deliveryId", t.number, t.at, t.duration_ms as "durationMs", t.status, t.error, t.answer
          from (select id from hook_delivery
                 where tenant_id = :tenantId and subscription_id = :subscriptionId and (:state::text is null or state = :state)
                 order by id desc
                offset :skip limit :take) d
         cross join lateral (
               select a.delivery_id, a.number, a.at, a.duration_ms, a.status, a.error, a.answer from hook_attempt a
                where a.tenant_id = :tenantId and a.subscription_id = :subscriptionId and a.delivery_id = d.id
                order by a.number desc limit 25) t
         order by t.delivery_id, t.number`,
})
