import type { RawSigner } from '#pki/raw-signer.ts'
import { findOrganisation } from '#platform/auth/organisation-statements.ts'
import type { Platform } from '#platform/platform.ts'
import { findActiveSeal } from './certificate-statements.ts'
import { noSealCertificate } from './errors.ts'
import { openSigner } from './signer-cache.ts'
import { ensureTenantAuthority } from './tenant-authority.ts'

export type SealQuestion = { tenantId: string; departmentId: string; now: Date }

/** The seal of a department: its own certificate, or that of the nearest department above which has one. */
export async function findSealSigner(platform: Platform, question: SealQuestion): Promise<RawSigner> {
  const { tenantId, departmentId, now } = question
  await ensureTenantAuthority(platform, { tenantId, now })
  const found = await platform.db.transaction(tenantId, async (tx) => {
    const { path } = await findOrganisation.one(tx, { tenantId, departmentId })
    return findActiveSeal.maybeOne(tx, { tenantId, departmentIds: path.toReversed(), now })
  })
  if (found === undefined) throw noSealCertificate()
  return openSigner(platform, { ...found, tenantId })
}
