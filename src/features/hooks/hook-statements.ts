import {
  boolean,
  bytes,
  count,
  integer,
  nullable,
  oneOf,
  text,
  texts,
  time,
  uuid,
  uuids,
} from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { SUBSCRIPTION_STATES } from './schemas.ts'

const subscription = {
  id: uuid,
  eventType: text,
  uri: text,
  description: nullable(text),
  state: oneOf(SUBSCRIPTION_STATES),
  departmentId: uuid,
  subdepartments: boolean,
  headerNames: texts,
  createdAt: time,
}
const SUBSCRIPTION = `id, event_type as "eventType", uri, description, state, department_id as "departmentId",
               subdepartments, header_names as "headerNames", created_at as "createdAt"`

export const insertSubscription = statement({
  name: 'insertSubscription',
  params: {
    tenantId: uuid,
    id: uuid,
    eventType: text,
    uri: text,
    description: nullable(text),
    headerNames: texts,
    headers: nullable(bytes),
    secret: bytes,
    departmentId: uuid,
    subdepartments: boolean,
    creatorId: uuid,
    now: time,
  },
  sql: `insert into hook_subscription (tenant_id, id, event_type, uri, description, header_names, headers, secret,
               department_id, subdepartments, creator_id, state, created_at)
        values (:tenantId, :id, :eventType, :uri, :description, :headerNames, :headers, :secret,
               :departmentId, :subdepartments, :creatorId, 'active', :now)`,
})

export const findSubscription = statement({
  name: 'findSubscription',
  params: { tenantId: uuid, subscriptionId: uuid },
  row: subscription,
  sql: `select ${SUBSCRIPTION}
          from hook_subscription
         where tenant_id = :tenantId and id = :subscriptionId and deleted_at is null`,
})

/** Without departments: those of the whole tenant. */
export const listSubscriptions = statement({
  name: 'listSubscriptions',
  params: { tenantId: uuid, departmentIds: nullable(uuids), skip: integer, take: integer },
  row: subscription,
  sql: `select ${SUBSCRIPTION}
          from hook_subscription
         where tenant_id = :tenantId and deleted_at is null
           and (:departmentIds::uuid[] is null or department_id = any(:departmentIds::uuid[]))
         order by created_at desc, id desc
        offset :skip limit :take`,
})

/** Counts at most what a tenant may have, which is little. */
export const countSubscriptions = statement({
  name: 'countSubscriptions',
  params: { tenantId: uuid, departmentIds: nullable(uuids) },
  row: { total: count },
  sql: `select count(id) as total
          from hook_subscription
         where tenant_id = :tenantId and deleted_at is null
           and (:departmentIds::uuid[] is null or department_id = any(:departmentIds::uuid[]))`,
})

/** The row stays, for the deliveries that name it; its secrets go. Only one of two deletions finds it alive. */
export const burySubscription = statement({
  name: 'burySubscription',
  params: { tenantId: uuid, subscriptionId: uuid, now: time },
  sql: `update hook_subscription set deleted_at = :now, headers = null, secret = ''
         where tenant_id = :tenantId and id = :subscriptionId and deleted_at is null`,
})

export const disableSubscriptions = statement({
  name: 'disableSubscriptions',
  params: { tenantId: uuid, departmentIds: uuids, now: time },
  sql: `update hook_subscription
           set state = 'disabled', disabled_at = coalesce(disabled_at, :now)
         where tenant_id = :tenantId and department_id = any(:departmentIds)
           and deleted_at is null and state <> 'disabled'`,
})
