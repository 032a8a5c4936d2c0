// Invitations and resets are credentials of a user, keys are credentials of a subscription key. All are found by their
// hash before the tenant is known, so they lie in the one table for that; these statements still name the tenant.
import { boolean, bytes, time, uuid, uuids } from '#platform/db/columns.ts'
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
