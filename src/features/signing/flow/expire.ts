import { SYSTEM } from '#features/event/index.ts'
import type { Platform } from '#platform/platform.ts'
import { getLockedFlow } from './flow.ts'
import { listExpired, listPeople } from './flow-statements.ts'
import { withdraw } from './withdraw.ts'

const BATCH = 100

/** Ends the tenant's requests whose time is up. A signature that was confirmed in time is made first. */
export async function expireRequests(platform: Platform, tenantId: string, now: Date): Promise<void> {
  const due = await platform.db.transaction(tenantId, (tx) => listExpired.many(tx, { tenantId, now, limit: BATCH }))
  for (const { id: requestId } of due) {
    await platform.db.transaction(tenantId, async (tx) => {
      const flow = await getLockedFlow(tx, { tenantId, requestId })
      if (flow.status !== 'Open' || flow.expirationAt === null || flow.expirationAt > now) return
      const people = await listPeople.many(tx, { tenantId, requestId })
      if (people.some(({ hasConfirmed, state }) => hasConfirmed && state !== 'Signed')) return
      const cause = { type: 'signaturerequestexpired' }
      await withdraw(tx, { tenantId, flow, move: 'expire', actor: SYSTEM, reason: 'Expired', cause, now })
    })
  }
}
