import { findTenantChoices } from '#platform/auth/sender-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import { returnAddressRefused } from './errors.ts'

/** The address that a signatory is sent back to, if its origin is exactly one that the tenant has listed. */
export async function readReturnUrl(
  tx: Tx,
  { tenantId, returnUrl }: { tenantId: string; returnUrl: string },
): Promise<string> {
  const url = URL.parse(returnUrl)
  const { returnOrigins } = await findTenantChoices.one(tx, { tenantId })
  if (url === null || url.username !== '' || url.password !== '' || !returnOrigins.includes(url.origin)) {
    throw returnAddressRefused()
  }
  return url.href
}
