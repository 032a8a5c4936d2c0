import type { Platform } from '#platform/platform.ts'
import { keepMeasurement } from '#platform/troubles/trouble-statements.ts'
import { listTenantsAtLimit } from './invitation-statements.ts'

/** Tenants whom the limit has stood in the way of today. */
export function readTenantsAtLimit({ db, clock }: Pick<Platform, 'db' | 'clock'>) {
  return db.systemTransaction((tx) => listTenantsAtLimit.many(tx, { now: clock.now() }))
}

/** Counts them, for whoever watches the installation. */
export async function watchLimits(platform: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const { length: value } = await readTenantsAtLimit(platform)
  await platform.db.systemTransaction((tx) => keepMeasurement.run(tx, { name: 'tenants_at_invitation_limit', value }))
}
