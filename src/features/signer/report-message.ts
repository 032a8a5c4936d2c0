// Whoever does not know the sender says so with nothing but the link of the message, whatever has become of the request.
import { report, whoseLink } from '#features/signing/index.ts'
import type { Platform } from '#platform/platform.ts'
import { linkNotFound } from './errors.ts'
import { requireOwnPage } from './session.ts'

export type ReportMessage = { token: string; headers: Record<string, string | undefined>; now: Date }

/** Records the report; the same link reports once. */
export async function reportMessage(platform: Platform, { token, headers, now }: ReportMessage): Promise<void> {
  requireOwnPage(platform, headers)
  const { db, log } = platform
  const owner = await db.systemTransaction((tx) => whoseLink(tx, { token, now }))
  if (owner === undefined) throw linkNotFound()
  const { tenantId, signatoryId } = owner
  await db.transaction(tenantId, (tx) => report(tx, { tenantId, signatoryId, log, now }))
}
