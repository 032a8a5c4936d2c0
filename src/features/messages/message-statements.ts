import { count, integer, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { CHANNELS, MESSAGE_KINDS, MESSAGE_STATES } from './message.ts'

export const insertMessage = statement({
  name: 'insertMessage',
  params: {
    tenantId: uuid,
    id: uuid,
    departmentId: uuid,
    kind: oneOf(MESSAGE_KINDS),
    channel: oneOf(CHANNELS),
    language: text,
    requestId: nullable(uuid),
    signatoryId: nullable(uuid),
    userId: nullable(uuid),
    referenceId: nullable(uuid),
    now: time,
  },
  sql: `insert into message (tenant_id, id, department_id, kind, channel, language, request_id, signatory_id, user_id,
                             reference_id, state, created_at, modified_at)
        values (:tenantId, :id, :departmentId, :kind, :channel, :language, :requestId, :signatoryId, :userId,
                :referenceId, 'waiting', :now, :now)`,
})

const message = {
  tenantId: uuid,
  id: uuid,
  departmentId: uuid,
  kind: oneOf(MESSAGE_KINDS),
  channel: oneOf(CHANNELS),
  language: text,
  requestId: nullable(uuid),
  signatoryId: nullable(uuid),
  userId: nullable(uuid),
  referenceId: nullable(uuid),
  state: oneOf(MESSAGE_STATES),
  recipient: nullable(text),
  attempts: integer,
  problem: nullable(text),
  createdAt: time,
  modifiedAt: time,
}
const MESSAGE = `tenant_id as "tenantId", id, department_id as "departmentId", kind, channel, language,
               request_id as "requestId", signatory_id as "signatoryId", user_id as "userId",
               reference_id as "referenceId", state, recipient, attempts, problem,
               created_at as "createdAt", modified_at as "modifiedAt"`

export const findMessage = statement({
  name: 'findMessage',
  params: { tenantId: uuid, messageId: uuid },
  row: message,
  sql: `select ${MESSAGE} from message where tenant_id = :tenantId and id = :messageId`,
})

/** Written down before anything is sent; the Message-ID of the first try stays. No row: it needs no sending any more. */
export const beginAttempt = statement({
  name: 'beginAttempt',
  params: { tenantId: uuid, messageId: uuid, recipient: text, mailId: nullable(text), now: time },
  row: { mailId: nullable(text) },
  sql: `update message
           set attempts = attempts + 1, recipient = :recipient, message_id = coalesce(message_id, :mailId), modified_at = :now
         where tenant_id = :tenantId and id = :messageId and state = 'waiting'
        returning message_id as "mailId"`,
})

export const noteProblem = statement({
  name: 'noteProblem',
  params: { tenantId: uuid, messageId: uuid, problem: text, now: time },
  sql: `update message set problem = :problem, modified_at = :now
         where tenant_id = :tenantId and id = :messageId and state = 'waiting'`,
})

/** Ends the life of a message. Touches nothing where it has ended already. */
export const settleMessage = statement({
  name: 'settleMessage',
  params: {
    tenantId: uuid,
    messageId: uuid,
    state: oneOf(MESSAGE_STATES),
    recipient: nullable(text),
    problem: nullable(text),
    now: time,
  },
  sql: `update message
           set state = :state, recipient = coalesce(:recipient, recipient), problem = :problem, modified_at = :now
         where tenant_id = :tenantId and id = :messageId and state = 'waiting'`,
})

/** Ids rise with time, so they are the order as well. Without departments: those of the whole tenant. */
export const listMessages = statement({
  name: 'listMessages',
  params: {
    tenantId: uuid,
    departmentIds: nullable(uuids),
    requestId: nullable(uuid),
    state: nullable(oneOf(MESSAGE_STATES)),
    before: nullable(uuid),
    take: integer,
  },
  row: message,
  sql: `select ${MESSAGE}
          from message
         where tenant_id = :tenantId
           and (:departmentIds::uuid[] is null or department_id = any(:departmentIds::uuid[]))
           and (:requestId::uuid is null or request_id = :requestId)
           and (:state::text is null or state = :state)
           and (:before::uuid is null or id < :before)
         order by id desc
         limit :take`,
})

export const deleteMessagesOfRequest = statement({
  name: 'deleteMessagesOfRequest',
  params: { tenantId: uuid, requestId: uuid },
  sql: `delete from message where tenant_id = :tenantId and request_id = :requestId`,
})

/** One that still waits ends here: whoever is sending it just now would write the address down again. */
export const eraseRecipients = statement({
  name: 'eraseRecipients',
  params: { tenantId: uuid, requestIds: uuids, signatoryIds: uuids },
  sql: `update message
           set recipient = null, problem = null, state = case state when 'waiting' then 'dropped' else state end
         where tenant_id = :tenantId and request_id = any(:requestIds) and signatory_id = any(:signatoryIds)`,
})

/** The oldest first: ids rise with time, so that no more rows are looked at than go. One that still waits stays. */
export const deleteOldMessages = statement({
  name: 'deleteOldMessages',
  params: { tenantId: uuid, before: uuid, most: integer },
  sql: `delete from message
         where tenant_id = :tenantId
           and id in (select id from message
                       where tenant_id = :tenantId and id < :before and state <> 'waiting'
                       order by id
                       limit :most)`,
})

/** Failures among the newest thousand within reach, and what lies in the outbox, up to a thousand. */
export const countTroubled = statement({
  name: 'countTroubledMessages',
  params: { tenantId: uuid, departmentIds: nullable(uuids) },
  row: { failed: count, outbox: count },
  sql: `select (select count(*) filter (where state = 'failed')
                  from (select state from message
                         where tenant_id = :tenantId
                           and (:departmentIds::uuid[] is null or department_id = any(:departmentIds::uuid[]))
                         order by id desc limit 1000) as newest) as failed,
               (select count(*)
                  from (select from message
                         where tenant_id = :tenantId and state = 'outbox'
                           and (:departmentIds::uuid[] is null or department_id = any(:departmentIds::uuid[]))
                         limit 1000) as kept) as outbox`,
})
