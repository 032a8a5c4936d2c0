// How many people a tenant may ask in a day. Whoever gets hold of an account can make this service write to strangers in
// its name; the limit ends that, and somebody hears of it.
import type { Tx } from '#platform/db/database.ts'
import { describeError } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'
import { invitationLimitReached } from './errors.ts'
import {
  countInvitations,
  deleteOldInvitationCounts,
  findInvitations,
  findInvitationsRefused,
  isTooMany,
  noteInvitationsRefused,
} from './invitation-statements.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Enough to see what was usual before a day that was not. */
const KEPT_MS = 90 * DAY_MS

/** What the limit needs to know, and whom it tells. */
export type InvitationLimit = Pick<Platform, 'config' | 'db' | 'log'>

type Asking = { tenantId: string; amount: number; now: Date }

/**
 * Counts people who are about to be asked; where they would be too many, the transaction fails as a whole. It travels with
 * what comes next and holds up whoever counts for the same tenant until the commit, so it has to be asked for last.
 */
export function takeInvitations(tx: Tx, limit: InvitationLimit, { tenantId, amount, now }: Asking): void {
  const perDay = limit.config.limits.invitationsPerDay
  if (perDay === undefined || amount === 0) return
  const refuse = (error: unknown) => {
    if (!isTooMany(error)) throw error
    tx.afterRollback(() => tellOfRefusal(limit, { tenantId, perDay, now }))
    throw invitationLimitReached({ perDay, endsAt: endOfDay(now), now })
  }
  tx.withoutWaiting(countInvitations.one(tx, { tenantId, amount, perDay, now }).catch(refuse))
}

/** The beginning of the next day, in UTC. */
function endOfDay(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS)
}

/** Once a day and tenant, however often it is refused. */
async function tellOfRefusal(
  { db, log }: InvitationLimit,
  { tenantId, perDay, now }: { tenantId: string; perDay: number; now: Date },
): Promise<void> {
  try {
    const noted = await db.systemTransaction((tx) => noteInvitationsRefused.run(tx, { tenantId, now }))
    if (noted > 0) log.warn({ tenantId, perDay }, 'a tenant has reached its limit of invitations for today')
  } catch (error) {
    log.error({ tenantId, error: describeError(error) }, 'that a tenant has reached its limit could not be noted')
  }
}

/** How many people were asked today, how many may be, and since when more were refused. */
export async function readInvitations(
  tx: Tx,
  { tenantId, perDay, now }: { tenantId: string; perDay: number | undefined; now: Date },
) {
  const [counted, { refusedAt }] = await Promise.all([
    findInvitations.maybeOne(tx, { tenantId, now }),
    findInvitationsRefused.one(tx, { tenantId, now }),
  ])
  return { today: counted?.amount ?? 0, perDay: perDay ?? null, refusedDate: refusedAt }
}

/** Forgets how many were asked on days that are long over. */
export async function forgetInvitationCounts(
  tx: Tx,
  { tenantId, now }: { tenantId: string; now: Date },
): Promise<void> {
  await deleteOldInvitationCounts.run(tx, { tenantId, before: new Date(now.getTime() - KEPT_MS) })
}
