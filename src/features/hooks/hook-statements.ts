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
  stateReason: nullable(text),
  departmentId: uuid,
  subdepartments: boolean,
  headerNames: texts,
  createdAt: time,
}
const SUBSCRIPTION = `id, event_type as "eventType", uri, description, state, state_reason as "stateReason", department_id as "departmentId",
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
  sql: `update hook_subscription set deleted_at = :now, headers = null, secret = '', previous_secret = null
         where tenant_id = :tenantId and id = :subscriptionId and deleted_at is null`,
})

export const disableSubscriptions = statement({
  name: 'disableSubscriptions',
  params: { tenantId: uuid, departmentIds: uuids, reason: text, now: time },
  row: { id: uuid },
  sql: `update hook_subscription
           set state = 'disabled', state_reason = :reason, disabled_at = coalesce(disabled_at, :now)
         where tenant_id = :tenantId and department_id = any(:departmentIds)
           and deleted_at is null and state <> 'disabled'
        returning id`,
})

/** Those that these events may matter to, by their kinds. What is disabled collects nothing; what is paused does. */
export const listListeners = statement({
  name: 'listListeners',
  params: { tenantId: uuid, eventIds: uuids },
  row: { id: uuid, eventType: text, departmentId: uuid, subdepartments: boolean, createdAt: time },
  sql: `select s.id, s.event_type as "eventType", s.department_id as "departmentId", s.subdepartments,
               s.created_at as "createdAt"
          from hook_subscription s
         where s.tenant_id = :tenantId and s.deleted_at is null and s.state <> 'disabled'
           and s.event_type = any(array(
                 select distinct e.type
                   from outbox o
                  cross join lateral (
                        select f.type from event f
                         where f.tenant_id = :tenantId and f.id = o.id and f.request_id = o.request_id offset 0) e
                  where o.tenant_id = :tenantId and o.id = any(:eventIds)))`,
})

/** Where to send, and with what. */
export const listReceivers = statement({
  name: 'listReceivers',
  params: { tenantId: uuid, subscriptionIds: uuids },
  row: {
    id: uuid,
    uri: text,
    headers: nullable(bytes),
    secret: bytes,
    previousSecret: nullable(bytes),
    previousSecretUntil: nullable(time),
  },
  sql: `select id, uri, headers, secret, previous_secret as "previousSecret",
               previous_secret_until as "previousSecretUntil"
          from hook_subscription
         where tenant_id = :tenantId and id = any(:subscriptionIds) and deleted_at is null`,
})

/** Two racing changes wait for each other here. */
export const lockSubscription = statement({
  name: 'lockSubscription',
  params: { tenantId: uuid, subscriptionId: uuid },
  row: { state: oneOf(SUBSCRIPTION_STATES), secret: bytes, creatorId: uuid },
  sql: `select state, secret, creator_id as "creatorId" from hook_subscription
         where tenant_id = :tenantId and id = :subscriptionId and deleted_at is null
           for update`,
})

export const setSubscriptionState = statement({
  name: 'setSubscriptionState',
  params: {
    tenantId: uuid,
    subscriptionId: uuid,
    state: oneOf(SUBSCRIPTION_STATES),
    reason: nullable(text),
    disabledAt: nullable(time),
  },
  sql: `update hook_subscription set state = :state, state_reason = :reason, disabled_at = :disabledAt
         where tenant_id = :tenantId and id = :subscriptionId and deleted_at is null`,
})

export const replaceSecret = statement({
  name: 'replaceSecret',
  params: { tenantId: uuid, subscriptionId: uuid, secret: bytes, previousUntil: time },
  sql: `update hook_subscription set previous_secret = secret, previous_secret_until = :previousUntil, secret = :secret
         where tenant_id = :tenantId and id = :subscriptionId and deleted_at is null`,
})

export const forgetOldSecrets = statement({
  name: 'forgetOldSecrets',
  params: { tenantId: uuid, now: time },
  sql: `update hook_subscription set previous_secret = null, previous_secret_until = null
         where tenant_id = :tenantId and previous_secret_until <= :now`,
})

/** What subscriptions keep encrypted, held so that a change of the secret does not get lost meanwhile. */
export const lockSealedValues = statement({
  name: 'lockSealedValues',
  params: { tenantId: uuid, after: uuid, most: integer },
  row: { id: uuid, secret: bytes, previousSecret: nullable(bytes), headers: nullable(bytes) },
  sql: `select id, secret, previous_secret as "previousSecret", headers
          from hook_subscription
         where tenant_id = :tenantId and id > :after and deleted_at is null
         order by id
         limit :most
           for update`,
})

export const setSealedValues = statement({
  name: 'setSealedValues',
  params: { tenantId: uuid, id: uuid, secret: bytes, previousSecret: nullable(bytes), headers: nullable(bytes) },
  sql: `update hook_subscription set secret = :secret, previous_secret = :previousSecret, headers = :headers
         where tenant_id = :tenantId and id = :id`,
})

/** A tenant has few subscriptions, so they are counted as they are. */
export const summariseStates = statement({
  name: 'summariseSubscriptionStates',
  params: { tenantId: uuid, departmentIds: nullable(uuids) },
  row: { active: count, paused: count, disabled: count, failing: count },
  sql: `select count(*) filter (where s.state = 'active') as active, count(*) filter (where s.state = 'paused') as paused,
               count(*) filter (where s.state = 'disabled') as disabled,
               count(*) filter (where s.state = 'active' and l.failing_since is not null) as failing
          from hook_subscription s
          left join lane l on l.tenant_id = s.tenant_id and l.subscription_id = s.id
         where s.tenant_id = :tenantId and s.deleted_at is null
           and (:departmentIds::uuid[] is null or s.department_id = any(:departmentIds::uuid[]))`,
})
