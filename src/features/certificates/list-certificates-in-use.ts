// The certificates that a tenant lives by, without their keys: for the server, which never sees those.
import { parseCertificate } from '#pki/certificate.ts'
import { formatName } from '#pki/names.ts'
import type { Tx } from '#platform/db/database.ts'
import { listIssuingCertificates } from './certificate-statements.ts'
import { INSTALLATION_KINDS, listInstallationCertificates } from './installation-statements.ts'
import type { Expiry } from './list-expiries.ts'
import { listSealCertificates } from './seal-statements.ts'

export type InUse = Expiry & { departmentId: string | null }

/** The seals of these departments (of all, where undefined) and, for whoever sees the whole tenant, what stands above them. */
export async function listCertificatesInUse(
  tx: Tx,
  { tenantId, departmentIds, now }: { tenantId: string; departmentIds: string[] | undefined; now: Date },
): Promise<InUse[]> {
  const seals = await listSealCertificates.many(tx, { tenantId, departmentIds: departmentIds ?? null })
  const active = seals.flatMap(({ state, certificate, origin, departmentId }) =>
    state === 'Active' && certificate !== null
      ? [describe('seal', certificate, origin === 'issued', departmentId)]
      : [],
  )
  return departmentIds === undefined ? [...active, ...(await listAbove(tx, { tenantId, now }))] : active
}

async function listAbove(tx: Tx, { tenantId, now }: { tenantId: string; now: Date }): Promise<InUse[]> {
  const [issuing] = await listIssuingCertificates.many(tx, { tenantId, now })
  const installation = await listInstallationCertificates.many(tx, { now })
  const newest = INSTALLATION_KINDS.flatMap((kind) => {
    const found = installation.find((row) => row.kind === kind)
    return found === undefined || kind === 'responder' ? [] : [describe(kind, found.certificate, true, null)]
  })
  return [...(issuing ? [describe('issuing', issuing.certificate, true, null)] : []), ...newest]
}

function describe(kind: Expiry['kind'], der: Buffer, renewsItself: boolean, departmentId: string | null): InUse {
  const { subject, notAfter } = parseCertificate(der)
  return { kind, subject: formatName(subject), notAfter, renewsItself, departmentId }
}
