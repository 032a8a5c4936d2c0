import { json, nullable, text, texts, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** What a tenant has opted into. A name that is missing means no. */
export type TenantSettings = { personalIdentifierInCertificates?: boolean }

export const insertTenant = statement({
  name: 'insertTenant',
  isGlobal: true,
  params: { id: uuid, name: text, now: time },
  sql: `insert into tenant (id, name, created_at) values (:id, :name, :now)`,
})

export const listTenants = statement({
  name: 'listTenants',
  isGlobal: true,
  params: {},
  row: { id: uuid, name: text, createdAt: time, stoppedAt: nullable(time) },
  sql: `select id, name, created_at as "createdAt", stopped_at as "stoppedAt" from tenant order by created_at, id`,
})

/** Until the transaction ends: of two installations that begin on one database, one makes the tenant. */
export const waitForOtherFirstStarts = statement({
  name: 'waitForOtherFirstStarts',
  isGlobal: true,
  params: {},
  row: { lock: text },
  sql: `select pg_advisory_xact_lock(hashtextextended('countersign first start', 0))::text as lock`,
})

export const findTenant = statement({
  name: 'findTenant',
  isGlobal: true,
  params: { tenantId: uuid },
  row: { id: uuid, name: text, returnOrigins: texts, settings: json<TenantSettings>() },
  sql: `select id, name, return_origins as "returnOrigins", settings from tenant where id = :tenantId`,
})

/** No row where it was stopped already. */
export const markTenantStopped = statement({
  name: 'markTenantStopped',
  isGlobal: true,
  params: { tenantId: uuid, now: time },
  row: { id: uuid, name: text },
  sql: `update tenant set stopped_at = :now where id = :tenantId and stopped_at is null returning id, name`,
})

/** No row where it was not stopped. */
export const markTenantResumed = statement({
  name: 'markTenantResumed',
  isGlobal: true,
  params: { tenantId: uuid },
  row: { id: uuid, name: text },
  sql: `update tenant set stopped_at = null where id = :tenantId and stopped_at is not null returning id, name`,
})

/** Null leaves a field as it is; settings are added to those that are there. */
export const updateTenant = statement({
  name: 'updateTenant',
  isGlobal: true,
  params: {
    tenantId: uuid,
    name: nullable(text),
    returnOrigins: nullable(texts),
    settings: json<TenantSettings>(),
  },
  row: { id: uuid, name: text, returnOrigins: texts, settings: json<TenantSettings>() },
  sql: `update tenant
           set name = coalesce(:name, name),
               return_origins = coalesce(:returnOrigins::text[], return_origins),
               settings = settings || :settings::jsonb
         where id = :tenantId
        returning id, name, return_origins as "returnOrigins", settings`,
})
