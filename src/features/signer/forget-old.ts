import type { Platform } from '#platform/platform.ts'
import { deleteOldIdentifications } from './identification-statements.ts'
import { deleteOldCodes, deleteOldSessions } from './signer-statements.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Forgets sessions and codes that have been of no use for a day; what they led to stands in the events. */
export async function forgetOldSessions({ db }: Platform, tenantId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - DAY_MS)
  await db.transaction(tenantId, async (tx) => {
    await deleteOldCodes.run(tx, { tenantId, before })
    await deleteOldIdentifications.run(tx, { tenantId, before })
    await deleteOldSessions.run(tx, { tenantId, before })
  })
}
