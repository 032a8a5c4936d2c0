import { createHash } from 'node:crypto'
import type { ValidationReport } from '#pades/validate/report.ts'
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
  if (tenantId !== undefined) {
    return db.transaction(tenantId, (tx) => readTrustAnchors(tx, platform, tenantId), { isReadOnly: true })
  }
  const roots = await db.systemTransaction((tx) => listInstallationRoots.many(tx, {}))
  return describeAnchors(roots, config, [])
}

/** The same inside a transaction of the tenant. */
export async function readTrustAnchors(
  tx: Tx,
  { config }: Pick<Platform, 'config'>,
  tenantId: string,
): Promise<TrustAnchor[]> {
  const [roots, imported] = await Promise.all([
    listInstallationRoots.many(tx, {}),
    listImportedChains.many(tx, { tenantId }),
  ])
  return describeAnchors(
    roots,
    config,
    imported.map(({ certificate, chain }) => chain.at(-1) ?? certificate),
  )
}

function describeAnchors(
  roots: readonly { certificate: Buffer }[],
  config: Platform['config'],
  imported: readonly Buffer[],
): TrustAnchor[] {
  const others = [...(config.timestamps?.anchors ?? []), ...config.trustAnchors, ...imported]
  return [
    ...roots.map(({ certificate }) => ({ certificate, origin: 'installation' as const })),
    ...others.map((certificate) => ({ certificate, origin: 'trusted' as const })),
  ]
}

/** The certificates of all of them. */
export async function trustAnchors(platform: Platform, of: { tenantId?: string } = {}): Promise<Buffer[]> {
  return (await listTrustAnchors(platform, of)).map(({ certificate }) => certificate)
}

/** Whether a timestamp over the document is by the authority that is part of this service. */
export async function hasOwnTimestamp(platform: Platform, { timestamps }: ValidationReport): Promise<boolean> {
  // Whatever has been stamped here lately, then, and nobody need be asked.
  if (platform.config.timestamps === undefined) return true
  const anchors = await listTrustAnchors(platform)
  const own = anchors.filter(({ origin }) => origin === 'installation').map(({ certificate }) => sha256(certificate))
  return timestamps.some(({ certificates }) => own.includes(certificates.at(-1)?.sha256 ?? ''))
}

const sha256 = (der: Buffer) => createHash('sha256').update(der).digest('hex')
