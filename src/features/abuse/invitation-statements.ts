import { count, integer, nullable, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

const TODAY = `(:now::timestamptz at time zone 'utc')::date`

/** Fails where the day would have more than it may, and with it the transaction that wanted to ask so many. */
export const countInvitations = statement({
  name: 'countInvitations',
  params: { tenantId: uuid, amount: integer, perDay: integer, now: time },
  row: { isCounted: count },
  sql: `with counted as (
          insert into invitation_count as c (tenant_id, day, amount)
          select :tenantId::uuid, ${TODAY}, :amount::int
           where (:amount::int > :perDay::int) is not true
          on conflict (tenant_id, day) do update set amount = c.amount + excluded.amount
           where c.amount + excluded.amount <= :perDay::int
          returning amount)
        select 1 / count(*) as "isCounted" from counted`,
})

const DIVISION_BY_ZERO = '22012'

/** Whether `countInvitations` failed because there would be too many. */
export const isTooMany = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === DIVISION_BY_ZERO

export const findInvitations = statement({
  name: 'findInvitations',
  params: { tenantId: uuid, now: time },
  row: { amount: integer },
  sql: `select amount from invitation_count where tenant_id = :tenantId and day = ${TODAY}`,
})

export const deleteOldInvitationCounts = statement({
  name: 'deleteOldInvitationCounts',
  params: { tenantId: uuid, before: time },
  sql: `delete from invitation_count
         where tenant_id = :tenantId and day < (:before::timestamptz at time zone 'utc')::date`,
})

const REFUSED_TODAY = `invitations_refused_at >= date_trunc('day', :now::timestamptz, 'utc')`

/** Touches the tenant the first time on a day. */
export const noteInvitationsRefused = statement({
  name: 'noteInvitationsRefused',
  isGlobal: true,
  params: { tenantId: uuid, now: time },
  sql: `update tenant set invitations_refused_at = :now
         where id = :tenantId and (invitations_refused_at is null or not ${REFUSED_TODAY})`,
})

export const findInvitationsRefused = statement({
  name: 'findInvitationsRefused',
  isGlobal: true,
  params: { tenantId: uuid, now: time },
  row: { refusedAt: nullable(time) },
  sql: `select case when ${REFUSED_TODAY} then invitations_refused_at end as "refusedAt" from tenant where id = :tenantId`,
})

export const listTenantsAtLimit = statement({
  name: 'listTenantsAtLimit',
  isGlobal: true,
  params: { now: time },
  row: { id: uuid, name: text },
  sql: `select id, name from tenant where ${REFUSED_TODAY} order by invitations_refused_at, id limit 1000`,
})
