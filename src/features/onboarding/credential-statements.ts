// Invitations and resets are credentials of a user, keys are credentials of a subscription key. All are found by their
// hash before the tenant is known, so they lie in the one table for that; these statements still name the tenant.
import { boolean, bytes, integer, json, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const hasInvitation = statement({
  name: 'hasInvitation',
  isGlobal: true,
  params: { tenantId: uuid, hash: bytes, now: time },
  row: { isThere: boolean },
  sql: `select exists (select from credential
                        where kind in ('invitation', 'reset') and hash = :hash and tenant_id = :tenantId
                          and expires_at > :now) as "isThere"`,
})

/** Whoever can still set a password with the newest invitation or reset. */
export const findInvitedPerson = statement({
  name: 'findInvitedPerson',
  params: { tenantId: uuid, userId: uuid, now: time },
  row: { email: text, name: nullable(text), kind: oneOf(['invitation', 'reset']), expiresAt: time },
  sql: `select u.email, nullif(concat_ws(' ', u.first_name, u.last_name), '') as name, c.kind, c.expires_at as "expiresAt"
          from app_user u
          join credential c on c.tenant_id = u.tenant_id and c.kind in ('invitation', 'reset') and c.ref_id = u.id
         where u.tenant_id = :tenantId and u.id = :userId and u.kind = 'person' and u.email is not null
           and u.deactivated_at is null and u.deleted_at is null and c.expires_at > :now
         order by c.expires_at desc
         limit 1`,
})

/** Of two calls with the same token, one finds it gone. */
export const takeInvitation = statement({
  name: 'takeInvitation',
  isGlobal: true,
  params: { tenantId: uuid, hash: bytes, now: time },
  row: { userId: uuid },
  sql: `delete from credential
         where kind in ('invitation', 'reset') and hash = :hash and tenant_id = :tenantId and expires_at > :now
        returning ref_id as "userId"`,
})

/** Everybody who can set a password by a link now, in the order of their ids; a user has one invitation at a time. */
export const listLiveInvitations = statement({
  name: 'listLiveInvitations',
  params: { tenantId: uuid, after: uuid, now: time, most: integer },
  row: { userId: uuid, kind: oneOf(['invitation', 'reset']), expiresAt: time },
  sql: `select distinct on (ref_id) ref_id as "userId", kind, expires_at as "expiresAt"
          from credential
         where tenant_id = :tenantId and kind in ('invitation', 'reset') and ref_id > :after and expires_at > :now
         order by ref_id, expires_at desc
         limit :most`,
})

type NewInvitation = { userId: string; kind: string; hash: string; expiresAt: string }

/** More links of the same invitations; those that are known already stay as they are. */
export const addInvitations = statement({
  name: 'addInvitations',
  params: { tenantId: uuid, invitations: json<NewInvitation[]>() },
  sql: `insert into credential (kind, hash, tenant_id, ref_id, expires_at)
        select i.kind, decode(i.hash, 'hex'), :tenantId, i."userId", i."expiresAt"
          from jsonb_to_recordset(:invitations::jsonb)
            as i ("userId" uuid, kind text, hash text, "expiresAt" timestamptz)
        on conflict (kind, hash) do nothing`,
})

export const deleteInvitations = statement({
  name: 'deleteInvitations',
  isGlobal: true,
  params: { tenantId: uuid, userIds: uuids },
  sql: `delete from credential
         where tenant_id = :tenantId and kind in ('invitation', 'reset') and ref_id = any(:userIds)`,
})

export const deleteKeyCredentials = statement({
  name: 'deleteKeyCredentials',
  isGlobal: true,
  params: { tenantId: uuid, keyIds: uuids },
  sql: `delete from credential where tenant_id = :tenantId and kind = 'key' and ref_id = any(:keyIds)`,
})
