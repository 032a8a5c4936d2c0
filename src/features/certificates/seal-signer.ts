import type { RawSigner } from '#pki/raw-signer.ts'
import { findOrganisation } from '#platform/auth/organisation-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { findActiveSeal } from './certificate-statements.ts'
import { noSealCertificate } from './errors.ts'
import { openSigner } from './signer-cache.ts'
import { ensureTenantAuthority } from './tenant-authority.ts'

export type SealQuestion = { tenantId: string; departmentId: string; now: Date }

/** The seal of a department: its own certificate, or that of the nearest department above which has one. */
export async function findSealSigner(platform: Platform, question: SealQuestion): Promise<RawSigner> {
  const { tenantId, now } = question
  await ensureTenantAuthority(platform, { tenantId, now })
  const found = await platform.db.transaction(tenantId, (tx) => findSeal(tx, platform, question))
  if (found === undefined) throw noSealCertificate()
  return found
}

/** The same inside a transaction, for a tenant that has its authority; undefined where there is no seal. */
export async function findSeal(tx: Tx, platform: Platform, question: SealQuestion): Promise<RawSigner | undefined> {
  const { tenantId, departmentId, now } = question
  const { path } = await findOrganisation.one(tx, { tenantId, departmentId })
  const found = await findActiveSeal.maybeOne(tx, { tenantId, departmentIds: path.toReversed(), now })
  return found && openSigner(platform, { ...found, tenantId })
}
