import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { TROUBLE } from '#platform/troubles/trouble-names.ts'
import { keepMeasurement } from '#platform/troubles/trouble-statements.ts'
import { noteTrouble } from '#platform/troubles/troubles.ts'
import { summariseDamaged } from './check-statements.ts'

/** A read that fails while others do not may pass by itself; over an hour it is tried several times. */
const UNREADABLE_FOR_MS = 60 * 60 * 1000

/** What of a tenant's files is known to be damaged, missing, or not to be read for a while. */
export function summariseDamage(tx: Tx, { tenantId, now }: { tenantId: string; now: Date }) {
  return summariseDamaged.maybeOne(tx, { tenantId, unreadableBefore: new Date(now.getTime() - UNREADABLE_FOR_MS) })
}

type Summary = NonNullable<Awaited<ReturnType<typeof summariseDamage>>>

/** The one that was found first, with its tenant where that is to be named, and how many more there are. */
export function describeDamage({ problem, sha256, amount }: Omit<Summary, 'foundAt'>, tenantId?: string): string {
  const owner = tenantId === undefined ? '' : ` of tenant ${tenantId}`
  const others = amount === 1 ? '' : `, and ${amount - 1} more`
  return `${problem}: content ${sha256.toString('hex')}${owner}${others}`
}

/** Lets readiness and the metrics know how many files of all tenants are damaged. */
export async function watchDamage(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  tenantIds: readonly string[],
): Promise<void> {
  const now = clock.now()
  let amount = 0
  let first: (Summary & { tenantId: string }) | undefined
  for (const tenantId of tenantIds) {
    const found = await db.transaction(tenantId, (tx) => summariseDamage(tx, { tenantId, now }))
    if (found === undefined) continue
    amount += found.amount
    first ??= { ...found, tenantId }
  }
  await db.systemTransaction((tx) => keepMeasurement.run(tx, { name: 'files_damaged', value: amount }))
  await noteTrouble({ db, clock }, TROUBLE.files, first && describeDamage({ ...first, amount }, first.tenantId))
}
