// What the world is told after a revocation, and told again before the last word ends.
import { parseCertificate } from '#pki/certificate.ts'
import type { CertificateStatus } from '#pki/ocsp.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import type { RevocationReason } from '#pki/revocation-reason.ts'
import type { Tx } from '#platform/db/database.ts'
import { goThrough } from '#platform/jobs/go-through.ts'
import type { JobRun } from '#platform/jobs/job-handler.ts'
import type { Platform } from '#platform/platform.ts'
import { listIssuingAuthorities } from './certificate-statements.ts'
import { ensureInstallation } from './installation.ts'
import { deleteEndedStatuses, listDueAuthorities, listDueStatuses } from './publish-statements.ts'
import { CRL_LIFE_MS, keyIdOf, publishCrl, publishStatus, STATUS_LIFE_MS } from './publish.ts'
import { deleteSealKey, findIssuedStatus, listRevoked } from './seal-statements.ts'
import { openSigner } from './signer-cache.ts'
import { ensureTenantAuthority } from './tenant-authority.ts'

const MOST_AT_ONCE = 500
const KEEP_ENDED_MS = 30 * 24 * 60 * 60 * 1000

/** Publishes the revocations that the job names, and destroys the keys. */
export async function publishRevocations(platform: Platform, job: JobRun): Promise<void> {
  const { tenantId, payload } = job
  const now = platform.clock.now()
  const { responder } = await ensureTenantAuthority(platform, { tenantId, now })
  await platform.db.transaction(tenantId, async (tx) => {
    for (const authority of await readAuthorities(tx, platform, tenantId)) {
      await publishRevoked(tx, { tenantId, authority, responder, now })
    }
    for (const certificateId of payload['certificateIds'] as string[]) {
      await deleteSealKey.run(tx, { tenantId, certificateId })
    }
    await job.finish(tx)
  })
}

type Publishing = { tenantId: string; authority: RawSigner; responder: RawSigner; now: Date }

async function publishRevoked(tx: Tx, { tenantId, authority, responder, now }: Publishing): Promise<void> {
  const issuer = parseCertificate(authority.certificate)
  const revoked = await listRevoked.many(tx, { tenantId, issuerKeyId: keyIdOf(issuer), now })
  const entries = revoked.map(({ serial, revokedAt, revocationReason }) => ({
    serial,
    revokedAt,
    reason: revocationReason as RevocationReason,
  }))
  await publishCrl(tx, { authority, revoked: entries, now })
  for (const [index, { serial, notAfter }] of revoked.entries()) {
    const { revokedAt, reason } = entries[index]!
    const status = { revokedAt, reason }
    const certificate = { serial, notAfter }
    await publishStatus(tx, { responder: speakerFor(authority, responder), issuer, certificate, status, now })
  }
}

/** The responder speaks for the authority that made it; an earlier authority speaks for itself. */
function speakerFor(authority: RawSigner, responder: RawSigner): RawSigner {
  const { authorityKeyIdentifier } = parseCertificate(responder.certificate)
  return authorityKeyIdentifier?.equals(keyIdOf(parseCertificate(authority.certificate))) ? responder : authority
}

async function readAuthorities(tx: Tx, platform: Platform, tenantId: string): Promise<RawSigner[]> {
  const stored = await listIssuingAuthorities.many(tx, { tenantId })
  return stored.map((row) => openSigner(platform, { ...row, tenantId }))
}

/** Signs anew whatever will end soon, so that lists and answers never run out. */
export async function refreshPublished(platform: Platform, now: Date): Promise<void> {
  const { db } = platform
  const soon = (lifeMs: number) => new Date(now.getTime() + lifeMs / 2)
  const lists = await db.systemTransaction((tx) =>
    listDueAuthorities.many(tx, { before: soon(CRL_LIFE_MS), most: MOST_AT_ONCE }),
  )
  const statuses = await db.systemTransaction((tx) =>
    listDueStatuses.many(tx, { before: soon(STATUS_LIFE_MS), now, most: MOST_AT_ONCE }),
  )
  const due = [
    ...lists.map((list) => ({ ...list, refresh: () => refreshList(platform, { ...list, now }) })),
    ...statuses.map((status) => ({ ...status, refresh: () => refreshStatus(platform, { ...status, now }) })),
  ]
  const before = new Date(now.getTime() - KEEP_ENDED_MS)
  await db.systemTransaction((tx) => deleteEndedStatuses.run(tx, { before }))
  // A tenant whose key can't be opened any more leaves everybody else's lists as they should be.
  const nameOf = ({ tenantId }: Due) => tenantId ?? 'the installation'
  await goThrough(due, ({ refresh }) => refresh(), { what: 'lists and answers', nameOf })
}

type Due = { tenantId: string | null }
type DueNow = Due & { now: Date }

async function refreshList(platform: Platform, { keyId, tenantId, now }: DueNow & { keyId: Buffer }): Promise<void> {
  if (tenantId === null) {
    const { root } = await ensureInstallation(platform, now)
    if (!keyIdOf(parseCertificate(root.certificate)).equals(keyId)) return
    return platform.db.systemTransaction((tx) => publishCrl(tx, { authority: root, revoked: [], now }))
  }
  const { responder } = await ensureTenantAuthority(platform, { tenantId, now })
  await platform.db.transaction(tenantId, async (tx) => {
    const authority = findByKey(await readAuthorities(tx, platform, tenantId), keyId)
    if (authority) await publishRevoked(tx, { tenantId, authority, responder, now })
  })
}

type DueStatus = DueNow & { issuerKeyId: Buffer; serial: Buffer; notAfter: Date }

async function refreshStatus(platform: Platform, due: DueStatus): Promise<void> {
  const { tenantId, issuerKeyId, serial, notAfter, now } = due
  const certificate = { serial, notAfter }
  if (tenantId === null) {
    // What the root itself has issued is never revoked: it is replaced.
    const { root, responder } = await ensureInstallation(platform, now)
    const issuer = parseCertificate(root.certificate)
    if (!keyIdOf(issuer).equals(issuerKeyId)) return
    await platform.db.systemTransaction((tx) =>
      publishStatus(tx, { responder, issuer, certificate, status: 'good', now }),
    )
    return
  }
  const { responder } = await ensureTenantAuthority(platform, { tenantId, now })
  await platform.db.transaction(tenantId, async (tx) => {
    const authority = findByKey(await readAuthorities(tx, platform, tenantId), issuerKeyId)
    const found = await findIssuedStatus.maybeOne(tx, { tenantId, issuerKeyId, serial })
    if (authority === undefined || found === undefined) return
    const issuer = parseCertificate(authority.certificate)
    const speaker = speakerFor(authority, responder)
    await publishStatus(tx, { responder: speaker, issuer, certificate, status: statusFrom(found), now })
  })
}

const findByKey = (authorities: RawSigner[], keyId: Buffer) =>
  authorities.find(({ certificate }) => keyIdOf(parseCertificate(certificate)).equals(keyId))

function statusFrom(found: { revokedAt: Date | null; revocationReason: string | null }): CertificateStatus {
  if (found.revokedAt === null) return 'good'
  return { revokedAt: found.revokedAt, reason: (found.revocationReason ?? 'unspecified') as RevocationReason }
}
