// The statements that tell who is calling. Departments and users are changed by their features; here they are only read.
import { boolean, bytes, integer, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const CREDENTIAL_KINDS = [
  'key',
  'link',
  'session',
  'invitation',
  'reset',
  'provider',
  'endedlink',
  'console',
] as const

/** Tenants that the operator has stopped: nobody gets in by anything of theirs. */
export const NOT_STOPPED = `not exists (select from tenant t where t.id = tenant_id and t.stopped_at is not null)`

export const findCredential = statement({
  name: 'findCredential',
  isGlobal: true,
  params: { kind: oneOf(CREDENTIAL_KINDS), hash: bytes, now: time },
  row: { tenantId: uuid, refId: uuid },
  sql: `select tenant_id as "tenantId", ref_id as "refId"
          from credential
         where kind = :kind and hash = :hash and (expires_at is null or expires_at > :now)
           and ${NOT_STOPPED}`,
})

export const insertCredential = statement({
  name: 'insertCredential',
  isGlobal: true,
  params: { kind: oneOf(CREDENTIAL_KINDS), hash: bytes, tenantId: uuid, refId: uuid, expiresAt: nullable(time) },
  sql: `insert into credential (kind, hash, tenant_id, ref_id, expires_at)
        values (:kind, :hash, :tenantId, :refId, :expiresAt)
        on conflict (kind, hash) do nothing`,
})

export const deleteCredential = statement({
  name: 'deleteCredential',
  isGlobal: true,
  params: { kind: oneOf(CREDENTIAL_KINDS), hash: bytes, tenantId: uuid },
  sql: `delete from credential where kind = :kind and hash = :hash and tenant_id = :tenantId`,
})

export const deleteCredentialsOf = statement({
  name: 'deleteCredentialsOf',
  isGlobal: true,
  params: { kind: oneOf(CREDENTIAL_KINDS), tenantId: uuid, refId: uuid },
  sql: `delete from credential where tenant_id = :tenantId and kind = :kind and ref_id = :refId`,
})

export const findKey = statement({
  name: 'findKey',
  params: { tenantId: uuid, keyId: uuid },
  row: { departmentId: uuid, serviceUserId: uuid, isRoot: boolean },
  sql: `select k.department_id as "departmentId", k.service_user_id as "serviceUserId", d.parent_id is null as "isRoot"
          from subscription_key k
          join department d on d.tenant_id = k.tenant_id and d.id = k.department_id
         where k.tenant_id = :tenantId and k.id = :keyId and k.revoked_at is null`,
})

export const findTokenUser = statement({
  name: 'findTokenUser',
  params: { tenantId: uuid, userId: uuid, departmentId: uuid, tokenId: uuid, issuedAt: time },
  row: { role: text, isActive: boolean, isRoot: boolean },
  sql: `select u.role, u.deactivated_at is null as "isActive", d.parent_id is null as "isRoot"
          from app_user u
          join department d on d.tenant_id = u.tenant_id and d.id = :departmentId and u.department_id = any(d.path)
         where u.tenant_id = :tenantId and u.id = :userId and u.tokens_valid_after < :issuedAt
           and not exists (select from revoked_token r where r.tenant_id = :tenantId and r.token_id = :tokenId)`,
})

export const isDepartmentBelow = statement({
  name: 'isDepartmentBelow',
  params: { tenantId: uuid, departmentId: uuid, above: uuid },
  row: { id: uuid },
  sql: `select id from department where tenant_id = :tenantId and id = :departmentId and :above::uuid = any(path)`,
})

export const listDepartmentsBelow = statement({
  name: 'listDepartmentsBelow',
  params: { tenantId: uuid, above: uuid },
  row: { id: uuid },
  sql: `select id from department where tenant_id = :tenantId and :above::uuid = any(path)`,
})

export const addKeyUsage = statement({
  name: 'addKeyUsage',
  params: { tenantId: uuid, keyId: uuid, calls: integer, now: time },
  sql: `with used as (
          update subscription_key set last_used_at = greatest(last_used_at, :now)
           where tenant_id = :tenantId and id = :keyId
          returning tenant_id, id)
        insert into subscription_key_usage as u (tenant_id, key_id, day, calls)
        select tenant_id, id, (:now::timestamptz at time zone 'utc')::date, :calls::int from used
        on conflict (tenant_id, key_id, day) do update set calls = u.calls + excluded.calls`,
})

export const deleteOldKeyUsage = statement({
  name: 'deleteOldKeyUsage',
  params: { tenantId: uuid, before: time },
  sql: `delete from subscription_key_usage
         where tenant_id = :tenantId and day < (:before::timestamptz at time zone 'utc')::date`,
})

/** Also of a deleted department: what is left of it is read by whoever reaches it. */
export const findDepartmentPath = statement({
  name: 'findDepartmentPath',
  params: { tenantId: uuid, departmentId: uuid },
  row: { path: uuids },
  sql: `select path from department where tenant_id = :tenantId and id = :departmentId`,
})

export const findLivingDepartment = statement({
  name: 'findLivingDepartment',
  params: { tenantId: uuid, departmentId: uuid },
  row: { id: uuid },
  sql: `select id from department where tenant_id = :tenantId and id = :departmentId and deleted_at is null`,
})

/** Keeps the department from being deleted until this transaction ends; no row where it is gone already. */
export const holdLivingDepartment = statement({
  name: 'holdLivingDepartment',
  params: { tenantId: uuid, departmentId: uuid },
  row: { id: uuid },
  sql: `select id
          from department
         where tenant_id = :tenantId and id = :departmentId and deleted_at is null
           for key share`,
})

export const findLivingUser = statement({
  name: 'findLivingUser',
  params: { tenantId: uuid, userId: uuid },
  row: { departmentId: uuid },
  sql: `select department_id as "departmentId" from app_user where tenant_id = :tenantId and id = :userId and deleted_at is null`,
})

export const deleteExpiredCredentials = statement({
  name: 'deleteExpiredCredentials',
  isGlobal: true,
  params: { now: time },
  sql: `delete from credential where expires_at < :now`,
})
