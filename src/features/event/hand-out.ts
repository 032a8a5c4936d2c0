import type { Tx } from '#platform/db/database.ts'
import { moveToFeed } from './feed-statements.ts'

/** On which readers of the feed hear that a tenant's feed has grown; the tenant's id is what is said. */
export const FEED_CHANNEL = 'countersign_feed'

export type HandOut = { tenantId: string; events: readonly { id: string; departmentId: string }[] }

/** Takes events out of the outbox and into the feed. Whoever else lives off the outbox does so in the same transaction. */
export async function handOut(tx: Tx, { tenantId, events }: HandOut): Promise<void> {
  if (events.length === 0) return
  const ids = events.map((event) => event.id)
  const departmentIds = events.map((event) => event.departmentId)
  await moveToFeed.run(tx, { tenantId, ids, departmentIds })
  tx.announce(FEED_CHANNEL, tenantId)
}
