// Every statement about subscription keys; their hashes are looked up in `credential`.
import { bytes, count, integer, nullable, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

const key = {
  id: uuid,
  name: text,
  departmentId: uuid,
  serviceUserId: uuid,
  creationDate: time,
  rotationDate: nullable(time),
  lastUsedDate: nullable(time),
}

const KEY = `k.id, k.name, k.department_id as "departmentId", k.service_user_id as "serviceUserId",
  k.created_at as "creationDate", k.rotated_at as "rotationDate", k.last_used_at as "lastUsedDate"`

export const insertKey = statement({
  name: 'insertKey',
  params: {
    tenantId: uuid,
    id: uuid,
    name: text,
    departmentId: uuid,
    serviceUserId: uuid,
    primaryHash: bytes,
    secondaryHash: bytes,
    now: time,
  },
  sql: `insert into subscription_key (tenant_id, id, name, department_id, service_user_id, primary_hash, secondary_hash, created_at)
        values (:tenantId, :id, :name, :departmentId, :serviceUserId, :primaryHash, :secondaryHash, :now)`,
})

export const lockKey = statement({
  name: 'lockKey',
  params: { tenantId: uuid, keyId: uuid },
  row: { ...key, primaryHash: bytes, secondaryHash: bytes },
  sql: `select ${KEY}, k.primary_hash as "primaryHash", k.secondary_hash as "secondaryHash"
          from subscription_key k
         where k.tenant_id = :tenantId and k.id = :keyId and k.revoked_at is null
           for no key update`,
})

const listed = { tenantId: uuid, above: nullable(uuid) }

const LISTED = `k.tenant_id = :tenantId and k.revoked_at is null
           and (:above::uuid is null or exists (select from department d
                 where d.tenant_id = :tenantId and d.id = k.department_id and :above::uuid = any(d.path)))`

export const listKeyRows = statement({
  name: 'listKeyRows',
  params: { ...listed, now: time, skip: integer, take: integer },
  row: { ...key, callsToday: count, callsLast30Days: count },
  sql: `select ${KEY}, u."callsToday", u."callsLast30Days"
          from subscription_key k
         cross join lateral (
               select coalesce(sum(calls) filter (where day = t.today), 0)::bigint as "callsToday",
                      coalesce(sum(calls), 0)::bigint as "callsLast30Days"
                 from subscription_key_usage, (select (:now::timestamptz at time zone 'utc')::date as today) t
                where tenant_id = :tenantId and key_id = k.id and day > t.today - 30) u
         where ${LISTED}
         order by k.created_at desc, k.id desc
         limit :take::int offset :skip::int`,
})

export const countKeys = statement({
  name: 'countKeys',
  params: listed,
  row: { total: count },
  sql: `select count(*) as total from subscription_key k where ${LISTED}`,
})

export const updateKeyHashes = statement({
  name: 'updateKeyHashes',
  params: { tenantId: uuid, keyId: uuid, primaryHash: bytes, secondaryHash: bytes, now: time },
  sql: `update subscription_key set primary_hash = :primaryHash, secondary_hash = :secondaryHash, rotated_at = :now
         where tenant_id = :tenantId and id = :keyId`,
})

export const markKeyRevoked = statement({
  name: 'markKeyRevoked',
  params: { tenantId: uuid, keyId: uuid, now: time },
  sql: `update subscription_key set revoked_at = :now where tenant_id = :tenantId and id = :keyId`,
})

export const revokeKeysOfDepartments = statement({
  name: 'revokeKeysOfDepartments',
  params: { tenantId: uuid, departmentIds: uuids, now: time },
  row: { id: uuid },
  sql: `update subscription_key set revoked_at = :now
         where tenant_id = :tenantId and department_id = any(:departmentIds) and revoked_at is null
        returning id`,
})
