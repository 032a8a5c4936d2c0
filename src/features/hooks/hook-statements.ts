import { time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const disableSubscriptions = statement({
  name: 'disableSubscriptions',
  params: { tenantId: uuid, departmentIds: uuids, now: time },
  sql: `update hook_subscription
           set state = 'disabled', disabled_at = coalesce(disabled_at, :now)
         where tenant_id = :tenantId and department_id = any(:departmentIds)
           and deleted_at is null and state <> 'disabled'`,
})
