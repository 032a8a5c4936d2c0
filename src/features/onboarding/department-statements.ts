// Every statement about departments. A change of the tree's shape holds the root's row first, so shapes change one at a
// time in a tenant; `no key update` lets everybody else go on referring to departments meanwhile.
import { count, integer, nullable, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

const department = {
  id: uuid,
  name: text,
  shortName: nullable(text),
  contactEmail: nullable(text),
  businessId: nullable(text),
  externalReference: nullable(text),
  tenantId: uuid,
  parentDepartmentId: nullable(uuid),
}

const DEPARTMENT = `id, name, short_name as "shortName", contact_email as "contactEmail", business_id as "businessId",
  external_reference as "externalReference", tenant_id as "tenantId", parent_id as "parentDepartmentId"`

export const insertDepartment = statement({
  name: 'insertDepartment',
  params: {
    tenantId: uuid,
    id: uuid,
    parentId: nullable(uuid),
    path: uuids,
    name: text,
    shortName: nullable(text),
    contactEmail: nullable(text),
    businessId: nullable(text),
    externalReference: nullable(text),
    subscriptionTier: nullable(text),
    now: time,
  },
  sql: `insert into department (tenant_id, id, parent_id, path, name, short_name, contact_email, business_id,
                                external_reference, subscription_tier, created_at, modified_at)
        values (:tenantId, :id, :parentId, :path, :name, :shortName, :contactEmail, :businessId,
                :externalReference, :subscriptionTier, :now, :now)`,
})

export const lockRoot = statement({
  name: 'lockRoot',
  params: { tenantId: uuid },
  row: { id: uuid },
  sql: `select id from department where tenant_id = :tenantId and parent_id is null for no key update`,
})

export const findDepartment = statement({
  name: 'findDepartment',
  params: { tenantId: uuid, departmentId: uuid },
  row: { ...department, path: uuids, subscriptionTier: nullable(text), retentionDays: nullable(integer) },
  sql: `select ${DEPARTMENT}, path, subscription_tier as "subscriptionTier", retention_days as "retentionDays"
          from department
         where tenant_id = :tenantId and id = :departmentId and deleted_at is null`,
})

const listed = {
  tenantId: uuid,
  above: nullable(uuid),
  businessId: nullable(text),
  externalReference: nullable(text),
}

const LISTED = `tenant_id = :tenantId and deleted_at is null
           and (:above::uuid is null or :above::uuid = any(path))
           and (:businessId::text is null or business_id = :businessId)
           and (:externalReference::text is null or external_reference = :externalReference)`

export const listDepartmentRows = statement({
  name: 'listDepartmentRows',
  params: { ...listed, skip: integer, take: integer },
  row: department,
  sql: `select ${DEPARTMENT}
          from department
         where ${LISTED}
         order by created_at desc, id desc
         limit :take::int offset :skip::int`,
})

export const countDepartments = statement({
  name: 'countDepartments',
  params: listed,
  row: { total: count },
  sql: `select count(*) as total from department where ${LISTED}`,
})

/** The departments at and below one, and how many people and keys they have. */
export const countBelow = statement({
  name: 'countBelow',
  params: { tenantId: uuid, departmentId: uuid },
  row: { departmentIds: uuids, users: count, keys: count },
  sql: `with inside as (
          select id from department
           where tenant_id = :tenantId and :departmentId::uuid = any(path) and deleted_at is null)
        select array(select id from inside) as "departmentIds",
               (select count(*) from app_user u where u.tenant_id = :tenantId and u.department_id in (select id from inside)
                   and u.kind = 'person' and u.deleted_at is null) as users,
               (select count(*) from subscription_key k where k.tenant_id = :tenantId
                   and k.department_id in (select id from inside) and k.revoked_at is null) as keys`,
})

/** Whoever wants to put something into one of these departments waits, and then finds them gone. */
export const lockSubtree = statement({
  name: 'lockSubtree',
  params: { tenantId: uuid, departmentId: uuid },
  row: { id: uuid },
  sql: `select id
          from department
         where tenant_id = :tenantId and :departmentId::uuid = any(path) and deleted_at is null
         order by id
           for update`,
})

export const markDepartmentsDeleted = statement({
  name: 'markDepartmentsDeleted',
  params: { tenantId: uuid, departmentIds: uuids, now: time },
  sql: `update department set deleted_at = :now, modified_at = :now
         where tenant_id = :tenantId and id = any(:departmentIds)`,
})

/** Null leaves a field as it is; an empty text, or zero days, empties it. */
export const updateDepartment = statement({
  name: 'updateDepartment',
  params: {
    tenantId: uuid,
    departmentId: uuid,
    name: nullable(text),
    shortName: nullable(text),
    contactEmail: nullable(text),
    businessId: nullable(text),
    externalReference: nullable(text),
    subscriptionTier: nullable(text),
    retentionDays: nullable(integer),
    now: time,
  },
  sql: `update department
           set name = coalesce(:name, name),
               short_name = nullif(coalesce(:shortName, short_name), ''),
               contact_email = nullif(coalesce(:contactEmail, contact_email), ''),
               business_id = nullif(coalesce(:businessId, business_id), ''),
               external_reference = nullif(coalesce(:externalReference, external_reference), ''),
               subscription_tier = nullif(coalesce(:subscriptionTier, subscription_tier), ''),
               retention_days = nullif(coalesce(:retentionDays::int, retention_days), 0),
               modified_at = :now
         where tenant_id = :tenantId and id = :departmentId and deleted_at is null`,
})

export const measureSubtree = statement({
  name: 'measureSubtree',
  params: { tenantId: uuid, departmentId: uuid },
  row: { levels: integer },
  sql: `select max(cardinality(path)) as levels
          from department
         where tenant_id = :tenantId and :departmentId::uuid = any(path)`,
})

/** Hangs a department below another parent; the paths of everything below it follow. */
export const moveSubtree = statement({
  name: 'moveSubtree',
  params: { tenantId: uuid, departmentId: uuid, parentId: uuid, parentPath: uuids, position: integer, now: time },
  sql: `update department
           set path = :parentPath::uuid[] || path[:position::int:],
               parent_id = case when id = :departmentId then :parentId::uuid else parent_id end,
               modified_at = :now
         where tenant_id = :tenantId and :departmentId::uuid = any(path)`,
})

/** How long each department keeps what is finished: as it says itself, or the nearest one above that says anything. */
export const listRetention = statement({
  name: 'listRetention',
  params: { tenantId: uuid },
  row: { departmentId: uuid, days: integer },
  sql: `select d.id as "departmentId", above.days
          from department d
         cross join lateral (select p.retention_days as days from department p
                              where p.tenant_id = :tenantId and p.id = any(d.path) and p.retention_days is not null
                              order by cardinality(p.path) desc limit 1) above
         where d.tenant_id = :tenantId`,
})
