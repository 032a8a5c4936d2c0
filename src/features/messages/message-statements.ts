import { nullable, oneOf, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { CHANNELS, MESSAGE_KINDS } from './message.ts'

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
