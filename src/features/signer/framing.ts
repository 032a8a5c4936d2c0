import { whoseLink } from '#features/signing/index.ts'
import { findTenantChoices } from '#platform/auth/sender-statements.ts'
import type { Platform } from '#platform/platform.ts'
import { findGuest } from './session.ts'

export type FramedPage = {
  /** Of a personal link; absent on the page that a session goes on with. */
  token: string | undefined
  headers: Record<string, string | undefined>
}

/** The origins that may show this person's page in a frame: those that the tenant has listed, of a stranger none. */
export async function listFramers(platform: Platform, { token, headers }: FramedPage): Promise<readonly string[]> {
  const { db, clock } = platform
  const now = clock.now()
  const owner =
    token === undefined
      ? await findGuest(platform, headers, now)
      : await db.systemTransaction((tx) => whoseLink(tx, { token, now }))
  if (owner === undefined) return []
  const { tenantId } = owner
  const { returnOrigins } = await db.systemTransaction((tx) => findTenantChoices.one(tx, { tenantId }))
  return returnOrigins
}
