// The console's sessions, as far as telling who calls needs them. The identity feature makes and ends them.
import { boolean, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** No row once it has ended, was idle too long, or its user signed out everywhere, changed the password or was deactivated. */
export const findConsoleSession = statement({
  name: 'findConsoleSession',
  params: { tenantId: uuid, sessionId: uuid, idleSince: time, now: time },
  row: { userId: uuid, role: text, departmentId: uuid, isRoot: boolean, expiresAt: time, lastSeenAt: time },
  sql: `select s.user_id as "userId", u.role, u.department_id as "departmentId", d.parent_id is null as "isRoot",
               s.expires_at as "expiresAt", s.last_seen_at as "lastSeenAt"
          from console_session s
          join app_user u on u.tenant_id = s.tenant_id and u.id = s.user_id
          join department d on d.tenant_id = u.tenant_id and d.id = u.department_id
         where s.tenant_id = :tenantId and s.id = :sessionId and s.expires_at > :now and s.last_seen_at > :idleSince
           and s.created_at > u.tokens_valid_after and u.deactivated_at is null and u.deleted_at is null`,
})

export const noteSessionSeen = statement({
  name: 'noteSessionSeen',
  params: { tenantId: uuid, sessionId: uuid, now: time },
  sql: `update console_session set last_seen_at = :now
         where tenant_id = :tenantId and id = :sessionId and last_seen_at < :now`,
})

/** Signs somebody out of the console for good: whoever is activated again signs in anew. */
export const deleteSessionsOf = statement({
  name: 'deleteConsoleSessionsOf',
  params: { tenantId: uuid, userId: uuid },
  sql: `delete from console_session where tenant_id = :tenantId and user_id = :userId`,
})
