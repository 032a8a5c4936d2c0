// What the operator does when a tenant's account is abused. The way back is for the tenant's access alone: what was
// canceled stays so.
import { recordActivity } from '#features/activity/index.ts'
import { cancelOpenRequests } from '#features/signing/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { endAllSignIns } from './login-statements.ts'
import { markTenantResumed, markTenantStopped } from './tenant-statements.ts'

const REASON = 'The operator of this service has stopped the organisation.'

export type TenantStop = { caller: Caller; now: Date }

/** Shuts the tenant out: keys, logins, sessions and links open nothing from now on. False where it was stopped already. */
export async function stopTenant(tx: Tx, { caller, now }: TenantStop): Promise<boolean> {
  const { tenantId, departmentId } = caller
  const target = await markTenantStopped.maybeOne(tx, { tenantId, now })
  if (target === undefined) return false
  // Whoever abused the account may be signed in: that must not come back with the tenant.
  await endAllSignIns.run(tx, { tenantId, now })
  await recordActivity(tx, { caller, action: 'tenant.stopped', target, departmentId, now })
  return true
}

/** Lets the tenant in again. False where it was not stopped. */
export async function resumeTenant(tx: Tx, { caller, now }: TenantStop): Promise<boolean> {
  const { tenantId, departmentId } = caller
  const target = await markTenantResumed.maybeOne(tx, { tenantId })
  if (target === undefined) return false
  await recordActivity(tx, { caller, action: 'tenant.resumed', target, departmentId, now })
  return true
}

/**
 * Cancels what the tenant has open and answers with how much that was. A part at a time, each whole in itself: whoever is
 * killed in between begins again, and finds the rest.
 */
export async function withdrawAll(
  db: Database,
  { tenantId, now, atOnce = 200 }: { tenantId: string; now: Date; atOnce?: number },
): Promise<number> {
  for (let total = 0; ;) {
    const canceled = await db.transaction(tenantId, (tx) =>
      cancelOpenRequests(tx, { tenantId, reason: REASON, limit: atOnce, now }),
    )
    if (canceled === 0) return total
    total += canceled
  }
}
