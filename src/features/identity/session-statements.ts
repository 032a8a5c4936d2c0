// The console's sessions: made by signing in, ended by signing out.
import { NOT_STOPPED } from '#platform/auth/auth-statements.ts'
import { bytes, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** The tenants in which somebody has this e-mail address, the one of the newest user first. */
export const listLoginPlaces = statement({
  name: 'listLoginPlaces',
  isGlobal: true,
  params: { emailHash: bytes },
  row: { tenantId: uuid },
  sql: `select tenant_id as "tenantId"
          from login_place
         where email_hash = :emailHash and ${NOT_STOPPED}
         order by user_id desc
         limit 10`,
})

export const insertSession = statement({
  name: 'insertConsoleSession',
  params: { tenantId: uuid, id: uuid, userId: uuid, agent: text, createdAt: time, expiresAt: time },
  sql: `insert into console_session (tenant_id, id, user_id, agent, created_at, last_seen_at, expires_at)
        values (:tenantId, :id, :userId, :agent, :createdAt, :createdAt, :expiresAt)`,
})

/** The user's sessions that are alive, newest first. */
export const listSessions = statement({
  name: 'listConsoleSessions',
  params: { tenantId: uuid, userId: uuid, idleSince: time, now: time },
  row: { id: uuid, agent: text, createdAt: time, lastSeenAt: time, expiresAt: time },
  sql: `select s.id, s.agent, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt"
          from console_session s
          join app_user u on u.tenant_id = s.tenant_id and u.id = s.user_id
         where s.tenant_id = :tenantId and s.user_id = :userId and s.expires_at > :now
           and s.last_seen_at > :idleSince and s.created_at > u.tokens_valid_after
         order by s.created_at desc
         limit 100`,
})

export const deleteSession = statement({
  name: 'deleteConsoleSession',
  params: { tenantId: uuid, userId: uuid, sessionId: uuid },
  sql: `delete from console_session where tenant_id = :tenantId and user_id = :userId and id = :sessionId`,
})

/** Keeps the newest of a user's sessions; whoever signs in over and over does not fill the table. */
export const deleteSurplusSessions = statement({
  name: 'deleteSurplusConsoleSessions',
  params: { tenantId: uuid, userId: uuid },
  sql: `delete from console_session
         where tenant_id = :tenantId and user_id = :userId
           and id not in (select id from console_session
                           where tenant_id = :tenantId and user_id = :userId
                           order by created_at desc limit 30)`,
})

export const deleteEndedSessions = statement({
  name: 'deleteEndedConsoleSessions',
  params: { tenantId: uuid, before: time },
  sql: `delete from console_session where tenant_id = :tenantId and expires_at < :before`,
})
