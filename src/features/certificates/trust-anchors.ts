import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { listImportedChains } from './certificate-statements.ts'
import { listInstallationRoots } from './installation-statements.ts'

export type TrustAnchor = {
  /** DER. */
  certificate: Buffer
  /** Made here, or trusted because the operator or an administrator says so. */
  origin: 'installation' | 'trusted'
}

/**
 * What a validation of our own files trusts: every root that this installation has had, the operator's timestamp
 * authority, whomever else the operator trusts, and for a tenant the authorities above the certificates that its
 * administrators have imported.
 */
export async function listTrustAnchors(
  platform: Pick<Platform, 'db' | 'config'>,
  { tenantId }: { tenantId?: string } = {},
): Promise<TrustAnchor[]> {
  const { db, config } = platform
  const readRoots = (tx: Tx) => listInstallationRoots.many(tx, {})
  const [roots, imported] =
    tenantId === undefined
      ? [await db.systemTransaction(readRoots), []]
      : await db.transaction(
          tenantId,
          (tx) => Promise.all([readRoots(tx), listImportedChains.many(tx, { tenantId })]),
          { isReadOnly: true },
        )
  const others = [
    ...(config.timestamps?.anchors ?? []),
    ...config.trustAnchors,
    ...imported.map(({ certificate, chain }) => chain.at(-1) ?? certificate),
  ]
  return [
    ...roots.map(({ certificate }) => ({ certificate, origin: 'installation' as const })),
    ...others.map((certificate) => ({ certificate, origin: 'trusted' as const })),
  ]
}

/** The certificates of all of them. */
export async function trustAnchors(platform: Platform, of: { tenantId?: string } = {}): Promise<Buffer[]> {
  return (await listTrustAnchors(platform, of)).map(({ certificate }) => certificate)
}
