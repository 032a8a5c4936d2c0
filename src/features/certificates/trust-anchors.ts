import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { listImportedChains } from './certificate-statements.ts'
import { listInstallationRoots } from './installation-statements.ts'

/**
 * What a validation of our own files trusts: every root that this installation has had, the operator's timestamp
 * authority, and for a tenant the authorities above the certificates that its administrators have imported.
 */
export async function trustAnchors(platform: Platform, { tenantId }: { tenantId?: string } = {}): Promise<Buffer[]> {
  const { db, config } = platform
  const readRoots = (tx: Tx) => listInstallationRoots.many(tx, {})
  const [roots, imported] =
    tenantId === undefined
      ? [await db.systemTransaction(readRoots), []]
      : await db.transaction(tenantId, (tx) => Promise.all([readRoots(tx), listImportedChains.many(tx, { tenantId })]))
  return [
    ...roots.map(({ certificate }) => certificate),
    ...(config.timestamps?.anchors ?? []),
    ...imported.map(({ certificate, chain }) => chain.at(-1) ?? certificate),
  ]
}
