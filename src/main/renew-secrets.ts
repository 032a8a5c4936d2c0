// After a change of the secret key: everything that lies encrypted under the previous one is encrypted anew, so that the
// previous one can be dropped.
import { renewInstallationKeys, renewTenantKeys } from '#features/certificates/index.ts'
import { renewHookSecrets } from '#features/hooks/index.ts'
import { renewApps } from '#features/identity/index.ts'
import { listTenants, renewInvitations } from '#features/onboarding/index.ts'
import { renewLinks } from '#features/signing/index.ts'
import type { Platform } from '#platform/platform.ts'

export type Renewed = { privateKeys: number; hooks: number; apps: number; links: number; invitations: number }

/** Renews what is stored, and says in the log whether there was anything left to renew. */
export async function renewSecrets(platform: Platform): Promise<Renewed> {
  const { db, log } = platform
  const renewed = { privateKeys: await renewInstallationKeys(platform), hooks: 0, apps: 0, links: 0, invitations: 0 }
  const tenants = await db.systemTransaction((tx) => listTenants.many(tx, {}))
  for (const { id } of tenants) {
    renewed.privateKeys += await renewTenantKeys(platform, id)
    renewed.hooks += await renewHookSecrets(platform, id)
    renewed.apps += await renewApps(platform, id)
    renewed.links += await renewLinks(platform, id)
    renewed.invitations += await renewInvitations(platform, id)
  }
  const isDone = Object.values(renewed).every((amount) => amount === 0)
  log.info(renewed, isDone ? 'nothing is left under the previous secret key' : 'encrypted anew under the secret key')
  return renewed
}
