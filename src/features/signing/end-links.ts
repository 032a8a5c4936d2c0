import type { Tx } from '#platform/db/database.ts'
import { endLinks, endLinksOfSignatory } from './link-statements.ts'

/** How long a dead link is still recognised, to say what became of the request instead of nothing. */
const REMEMBERED_MS = 90 * 24 * 60 * 60 * 1000

const keepUntil = (now: Date) => new Date(now.getTime() + REMEMBERED_MS)

/** Makes the links of all signatories of the requests useless at once. */
export async function endLinksOfRequests(
  tx: Tx,
  { tenantId, requestIds, now }: { tenantId: string; requestIds: string[]; now: Date },
): Promise<void> {
  await endLinks.run(tx, { tenantId, requestIds, keepUntil: keepUntil(now) })
}

/** Makes one person's link useless at once. */
export async function endLinkOf(
  tx: Tx,
  { tenantId, signatoryId, now }: { tenantId: string; signatoryId: string; now: Date },
): Promise<void> {
  await endLinksOfSignatory.run(tx, { tenantId, signatoryId, keepUntil: keepUntil(now) })
}
