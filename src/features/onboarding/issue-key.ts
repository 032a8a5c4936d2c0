import { recordActivity } from '#features/activity/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { requireDepartment } from '#platform/auth/references.ts'
import type { Tx } from '#platform/db/database.ts'
import { createKey } from './create-key.ts'

export type IssueKey = { caller: Caller; fields: { name: string; departmentId?: string }; now: Date }

/** Makes a key for a department within reach; this answer is the only place where its two values stand. */
export async function issueKey(tx: Tx, { caller, fields, now }: IssueKey) {
  const { name, departmentId = caller.departmentId } = fields
  await requireDepartment(tx, { caller, departmentId })
  const { keyId, ...created } = await createKey(tx, { tenantId: caller.tenantId, departmentId, name, now })
  await recordActivity(tx, {
    caller,
    action: 'subscriptionkey.created',
    target: { id: keyId, name },
    departmentId,
    now,
  })
  return { id: keyId, name, departmentId, creationDate: now, rotationDate: null, lastUsedDate: null, ...created }
}
