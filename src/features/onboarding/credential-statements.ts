// Invitations and resets are credentials of a user, keys are credentials of a subscription key. All are found by their
// hash before the tenant is known, so they lie in the one table for that; these statements still name the tenant.
import { boolean, bytes, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
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
