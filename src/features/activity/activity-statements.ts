import { boolean, integer, json, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { ACTIONS, TARGET_TYPES, type Details } from './activity.ts'

export const insertActivity = statement({
  name: 'insertActivity',
  params: {
    tenantId: uuid,
    id: uuid,
    now: time,
    action: oneOf(ACTIONS),
    actorId: uuid,
    keyId: nullable(uuid),
    departmentId: uuid,
    targetType: oneOf(TARGET_TYPES),
    targetId: uuid,
    targetName: nullable(text),
    details: json<Details>(),
    requestId: nullable(text),
  },
  sql: `insert into activity (tenant_id, id, at, action, actor_id, key_id, department_id, target_type, target_id,
                              target_name, details, request_id)
        values (:tenantId, :id, :now, :action, :actorId, :keyId, :departmentId, :targetType, :targetId,
                :targetName, :details, :requestId)`,
})

/** Names of actors are looked up when they are read: a person who is renamed is renamed here too. */
export const listActivities = statement({
  name: 'listActivities',
  params: {
    tenantId: uuid,
    departmentIds: nullable(uuids),
    actorId: nullable(uuid),
    targetType: nullable(oneOf(TARGET_TYPES)),
    targetId: nullable(uuid),
    from: nullable(time),
    to: nullable(time),
    before: nullable(uuid),
    take: integer,
  },
  row: {
    id: uuid,
    timestamp: time,
    action: oneOf(ACTIONS),
    actorId: uuid,
    actorName: nullable(text),
    isKey: boolean,
    departmentId: uuid,
    targetType: oneOf(TARGET_TYPES),
    targetId: uuid,
    targetName: nullable(text),
    details: json<Details>(),
    requestId: nullable(text),
  },
  sql: `select a.id, a.at as "timestamp", a.action, a.actor_id as "actorId",
               coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as "actorName",
               coalesce(u.kind = 'service', false) as "isKey", a.department_id as "departmentId",
               a.target_type as "targetType", a.target_id as "targetId", a.target_name as "targetName", a.details,
               a.request_id as "requestId"
          from activity a
          left join app_user u on u.tenant_id = a.tenant_id and u.id = a.actor_id
         where a.tenant_id = :tenantId
           and (:departmentIds::uuid[] is null or a.department_id = any(:departmentIds::uuid[]))
           and (:actorId::uuid is null or a.actor_id = :actorId)
           and (:targetType::text is null or a.target_type = :targetType)
           and (:targetId::uuid is null or a.target_id = :targetId)
           and (:from::timestamptz is null or a.id >= first_id_at(:from))
           and (:to::timestamptz is null or a.id < first_id_at(:to))
           and (:before::uuid is null or a.id < :before)
         order by a.id desc
         limit :take`,
})
