import { count, nullable, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const countReport = statement({
  name: 'countReport',
  isGlobal: true,
  params: { tenantId: uuid, now: time },
  sql: `update tenant set reports = reports + 1, reported_at = :now where id = :tenantId`,
})

/** Those of a time, with the request of the newest. */
export const findReports = statement({
  name: 'findReports',
  params: { tenantId: uuid, since: time },
  row: { amount: count, latestRequestId: nullable(uuid) },
  sql: `select count(*) as amount, (array_agg(request_id))[1] as "latestRequestId"
          from (select request_id from signatory
                 where tenant_id = :tenantId and reported_at > :since
                 order by reported_at desc
                 limit 1000) as newest`,
})

export const listReportedTenants = statement({
  name: 'listReportedTenants',
  isGlobal: true,
  params: { since: time },
  row: { id: uuid, name: text, reports: count },
  sql: `select id, name, reports from tenant where reported_at > :since order by reported_at desc, id limit 1000`,
})

export const sumReports = statement({
  name: 'sumReports',
  isGlobal: true,
  params: {},
  row: { total: count },
  sql: `select coalesce(sum(reports), 0)::bigint as total from tenant`,
})
