import { count, oneOf, text, texts, time } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** What workers measure about the installation as a whole. */
export const MEASUREMENTS = [
  'jobs_waiting',
  'jobs_given_up',
  'queue_lag_seconds',
  /** When the first of the certificates in use ends, in seconds since 1970. */
  'certificate_end_seconds',
  'tenants_at_invitation_limit',
  'messages_reported',
  /** Stored files that are damaged, missing or can't be read. */
  'files_damaged',
] as const

/** The first time counts: a trouble lasts until it is over. */
export const insertTrouble = statement({
  name: 'insertTrouble',
  isGlobal: true,
  params: { name: text, detail: text, now: time },
  sql: `insert into trouble as t (name, detail, since) values (:name, :detail, :now)
        on conflict (name) do update set detail = excluded.detail where t.detail <> excluded.detail`,
})

export const deleteTrouble = statement({
  name: 'deleteTrouble',
  isGlobal: true,
  params: { name: text },
  sql: `delete from trouble where name = :name`,
})

export const deleteOtherTroubles = statement({
  name: 'deleteOtherTroubles',
  isGlobal: true,
  params: { possible: texts },
  sql: `delete from trouble where name <> all(:possible)`,
})

export const listTroubles = statement({
  name: 'listTroubles',
  isGlobal: true,
  params: {},
  row: { name: text, detail: text, since: time },
  sql: `select name, detail, since from trouble order by name limit 100`,
})

export const keepMeasurement = statement({
  name: 'keepMeasurement',
  isGlobal: true,
  params: { name: oneOf(MEASUREMENTS), value: count },
  sql: `insert into measurement as m (name, value) values (:name, :value)
        on conflict (name) do update set value = excluded.value where m.value <> excluded.value`,
})

/** A worker of a later release may measure what this one knows nothing of. */
export const listMeasurements = statement({
  name: 'listMeasurements',
  isGlobal: true,
  params: { known: texts },
  row: { name: oneOf(MEASUREMENTS), value: count },
  sql: `select name, value from measurement where name = any(:known) order by name limit 100`,
})
