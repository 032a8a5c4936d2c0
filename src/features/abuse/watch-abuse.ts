import type { Platform } from '#platform/platform.ts'
import { keepMeasurement } from '#platform/troubles/trouble-statements.ts'
import { listTenantsAtLimit } from './invitation-statements.ts'
import { sumReports } from './report-statements.ts'

/** Tenants whom the limit has stood in the way of today. */
export function readTenantsAtLimit({ db, clock }: Pick<Platform, 'db' | 'clock'>) {
  return db.systemTransaction((tx) => listTenantsAtLimit.many(tx, { now: clock.now() }))
}

/** Counts them and what people have reported, for whoever watches the installation. */
export async function watchAbuse(platform: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const { length } = await readTenantsAtLimit(platform)
  await platform.db.systemTransaction(async (tx) => {
    const { total } = await sumReports.one(tx, {})
    await keepMeasurement.run(tx, { name: 'tenants_at_invitation_limit', value: length })
    await keepMeasurement.run(tx, { name: 'messages_reported', value: total })
  })
}
