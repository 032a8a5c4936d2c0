import { findOrganisation } from '#platform/auth/organisation-statements.ts'
import type { Platform } from '#platform/platform.ts'
import { RENEW_BEFORE_MS } from './installation.ts'
import { lockSealsToRenew, replaceSeal } from './seal-statements.ts'
import { ensureTenantAuthority, issueSeal } from './tenant-authority.ts'

/** Puts new certificates in the place of seals of our own making that end soon or name an address of before. */
export async function renewSeals(
  platform: Platform,
  { tenantId, now }: { tenantId: string; now: Date },
): Promise<void> {
  const authority = await ensureTenantAuthority(platform, { tenantId, now })
  const before = new Date(now.getTime() + RENEW_BEFORE_MS)
  const baseUrl = platform.config.publicUrl ?? null
  await platform.db.transaction(tenantId, async (tx) => {
    for (const { id, departmentId } of await lockSealsToRenew.many(tx, { tenantId, before, baseUrl })) {
      const { departmentName, organisation } = await findOrganisation.one(tx, { tenantId, departmentId })
      await issueSeal(tx, { platform, tenantId, ...authority, departmentId, departmentName, organisation, now })
      await replaceSeal.run(tx, { tenantId, id })
    }
  })
}
