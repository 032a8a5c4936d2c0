import { bytes, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

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
