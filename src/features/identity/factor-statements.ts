import { boolean, bytes, byteses, count, integer, nullable, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

const whose = { tenantId: uuid, userId: uuid }

export const findApp = statement({
  name: 'findAuthenticatorApp',
  params: whose,
  row: { secret: bytes, lastStep: count, confirmedAt: nullable(time) },
  sql: `select secret, last_step as "lastStep", confirmed_at as "confirmedAt"
          from authenticator_app
         where tenant_id = :tenantId and user_id = :userId`,
})

/** Another offer takes the place of one that was not confirmed; one that was stays. */
export const offerApp = statement({
  name: 'offerAuthenticatorApp',
  params: { ...whose, secret: bytes, now: time },
  sql: `insert into authenticator_app as a (tenant_id, user_id, secret, created_at)
        values (:tenantId, :userId, :secret, :now)
        on conflict (tenant_id, user_id) do update set secret = excluded.secret, created_at = excluded.created_at
           where a.confirmed_at is null`,
})

/** Of two calls with one code, one finds that it has been used. */
export const takeStep = statement({
  name: 'takeTotpStep',
  params: { ...whose, step: count },
  sql: `update authenticator_app set last_step = :step
         where tenant_id = :tenantId and user_id = :userId and last_step < :step`,
})

export const confirmApp = statement({
  name: 'confirmAuthenticatorApp',
  params: { ...whose, now: time },
  sql: `update authenticator_app set confirmed_at = :now
         where tenant_id = :tenantId and user_id = :userId and confirmed_at is null`,
})

/** All of a tenant in the order of its users, held while their secrets are encrypted anew. */
export const lockApps = statement({
  name: 'lockAuthenticatorApps',
  params: { tenantId: uuid, after: uuid, most: integer },
  row: { userId: uuid, secret: bytes },
  sql: `select user_id as "userId", secret
          from authenticator_app
         where tenant_id = :tenantId and user_id > :after
         order by user_id
         limit :most
           for update`,
})

export const setAppSecret = statement({
  name: 'setAuthenticatorSecret',
  params: { ...whose, secret: bytes },
  sql: `update authenticator_app set secret = :secret where tenant_id = :tenantId and user_id = :userId`,
})

export const deleteApp = statement({
  name: 'deleteAuthenticatorApp',
  params: whose,
  row: { wasOn: boolean },
  sql: `delete from authenticator_app
         where tenant_id = :tenantId and user_id = :userId
        returning confirmed_at is not null as "wasOn"`,
})

export const insertRecoveryCodes = statement({
  name: 'insertRecoveryCodes',
  params: { ...whose, hashes: byteses },
  sql: `insert into recovery_code (tenant_id, user_id, hash)
        select :tenantId, :userId, hash from unnest(:hashes::bytea[]) as hash`,
})

export const takeRecoveryCode = statement({
  name: 'takeRecoveryCode',
  params: { ...whose, hash: bytes },
  sql: `delete from recovery_code where tenant_id = :tenantId and user_id = :userId and hash = :hash`,
})

export const deleteRecoveryCodes = statement({
  name: 'deleteRecoveryCodes',
  params: whose,
  sql: `delete from recovery_code where tenant_id = :tenantId and user_id = :userId`,
})

export const countRecoveryCodes = statement({
  name: 'countRecoveryCodes',
  params: whose,
  row: { total: count },
  sql: `select count(*) as total from recovery_code where tenant_id = :tenantId and user_id = :userId`,
})
