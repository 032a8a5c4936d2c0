import { bytes, integer, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** Counts before the password is looked at, so that any number of attempts at once can't get past the limit. */
export const countAttempt = statement({
  name: 'countAttempt',
  params: { tenantId: uuid, loginHash: bytes, limit: integer, windowEndsAt: time, now: time },
  row: { failures: integer, windowEndsAt: time },
  sql: `insert into login_failure as f (tenant_id, login_hash, window_ends_at, failures)
        values (:tenantId, :loginHash, :windowEndsAt, 1)
        on conflict (tenant_id, login_hash) do update
           set failures = case when f.window_ends_at <= :now then 1 else least(f.failures, :limit::int) + 1 end,
               window_ends_at = case when f.window_ends_at <= :now then excluded.window_ends_at else f.window_ends_at end
        returning failures, window_ends_at as "windowEndsAt"`,
})

export const clearAttempts = statement({
  name: 'clearAttempts',
  params: { tenantId: uuid, loginHash: bytes },
  sql: `delete from login_failure where tenant_id = :tenantId and login_hash = :loginHash`,
})

/** Windows that have passed. */
export const deleteOldAttempts = statement({
  name: 'deleteOldAttempts',
  params: { tenantId: uuid, before: time },
  sql: `delete from login_failure where tenant_id = :tenantId and window_ends_at < :before`,
})

export const insertRevokedToken = statement({
  name: 'insertRevokedToken',
  params: { tenantId: uuid, tokenId: uuid, expiresAt: time },
  sql: `insert into revoked_token (tenant_id, token_id, expires_at)
        values (:tenantId, :tokenId, :expiresAt)
        on conflict (tenant_id, token_id) do nothing`,
})

/** Tokens that have ended by themselves need no revocation any more. */
export const deleteEndedTokens = statement({
  name: 'deleteEndedTokens',
  params: { tenantId: uuid, before: time },
  sql: `delete from revoked_token where tenant_id = :tenantId and expires_at < :before`,
})
