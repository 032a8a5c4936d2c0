import { ensureInstallation, ensureTenantAuthority } from '#features/certificates/index.ts'
import { listTenants } from '#features/onboarding/index.ts'
import { describeError } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'

/** With many tenants a start must not wait for all of them; the first job that needs an authority makes it then. */
const MOST_AT_START = 10

/** Makes the whole chain of certificates where it is missing, so that the first seal does not have to wait for it. */
export async function prepareCertificates(platform: Platform): Promise<void> {
  const { db, clock, log } = platform
  try {
    const now = clock.now()
    await ensureInstallation(platform, now)
    const tenants = await db.systemTransaction((tx) => listTenants.many(tx, {}))
    for (const { id: tenantId } of tenants.slice(0, MOST_AT_START)) {
      await ensureTenantAuthority(platform, { tenantId, now })
    }
  } catch (error) {
    // Jobs that need them make them again, and say what is wrong; everything else works meanwhile.
    log.error({ error: describeError(error) }, 'the certificates could not be prepared')
  }
}
