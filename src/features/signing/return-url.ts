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
  // Not `origin`: that of blob:https://… is the one inside of it.
  const isListed = url !== null && returnOrigins.includes(`${url.protocol}//${url.host}`)
  if (!isListed || url.username !== '' || url.password !== '') {
    throw returnAddressRefused()
  }
  return url.href
}
