import { lowestIdAt } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { deleteOldMessages } from './message-statements.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** So long an administrator can see whom a message went to, and why one did not arrive. */
export const KEEP_MESSAGES_DAYS = 90
const BATCH = 1000

/** Forgets the tenant's messages of long ago, with the addresses in them; that they were sent stands in the events. */
export async function forgetOldMessages({ db }: Platform, tenantId: string, now: Date): Promise<void> {
  const before = lowestIdAt(new Date(now.getTime() - KEEP_MESSAGES_DAYS * DAY_MS))
  for (let deleted = BATCH; deleted === BATCH;) {
    deleted = await db.transaction(tenantId, (tx) => deleteOldMessages.run(tx, { tenantId, before, most: BATCH }))
  }
}
