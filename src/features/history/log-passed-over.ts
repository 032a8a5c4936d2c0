import type { Platform } from '#platform/platform.ts'
import { queuePassedOver } from './place-statements.ts'

const LOOK_BACK_MS = 2 * 60 * 60 * 1000
/** A transaction of this length is still under way; its events wait as soon as it commits. */
const LEAVE_ALONE_MS = 60_000

/**
 * Servers of a release that knew no log write events that wait for none, while an upgrade replaces them one by one. What
 * is older than that is left as it is: the audit tells of it, and a person decides.
 */
export async function logPassedOver({ db, log, config }: Platform, tenantId: string, now: Date): Promise<void> {
  // No release without the log could be spread; and there the log lies on another machine than the events.
  if (config.isDatabaseSpread) return
  const from = new Date(now.getTime() - LOOK_BACK_MS)
  const until = new Date(now.getTime() - LEAVE_ALONE_MS)
  const queued = await db.transaction(tenantId, (tx) => queuePassedOver.run(tx, { tenantId, from, until }))
  if (queued > 0) log.warn({ tenantId, queued }, 'events were written past the log, and wait for it now')
}
