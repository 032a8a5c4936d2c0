// When the certificates of an installation end, for whoever looks after it.
import { parseCertificate } from '#pki/certificate.ts'
import { formatName } from '#pki/names.ts'
import type { Platform } from '#platform/platform.ts'
import { listAuthoritySigners } from './certificate-statements.ts'
import { INSTALLATION_KINDS, listInstallationSigners } from './installation-statements.ts'
import { listSealCertificates } from './seal-statements.ts'

export type Expiry = {
  kind: 'root' | 'timestamp' | 'responder' | 'issuing' | 'seal' | 'signatory'
  subject: string
  notAfter: Date
  /** The worker replaces it in time; imported ones have to be brought by a person. */
  renewsItself: boolean
}

/** What renews itself has done so long before this. */
const SOON_MS = 30 * 24 * 60 * 60 * 1000

/** Whether somebody should look after it, or ought to have done so. */
export const endsSoon = ({ notAfter }: Expiry, now: Date) => notAfter.getTime() - now.getTime() < SOON_MS

/** The certificates that are in use: of the installation, and of each of these tenants. */
export async function listExpiries(platform: Platform, tenantIds: readonly string[]): Promise<Expiry[]> {
  const expiries = await listOwn(platform)
  for (const tenantId of tenantIds) expiries.push(...(await listOfTenant(platform, tenantId)))
  return expiries
}

async function listOwn({ db }: Platform): Promise<Expiry[]> {
  const stored = await db.systemTransaction((tx) => listInstallationSigners.many(tx, {}))
  return INSTALLATION_KINDS.flatMap((kind) => {
    const newest = stored.find((row) => row.kind === kind)
    return newest === undefined ? [] : [expiryOf(kind, newest.certificate, true)]
  })
}

async function listOfTenant({ db }: Platform, tenantId: string): Promise<Expiry[]> {
  const [authorities, seals] = await db.transaction(tenantId, (tx) =>
    Promise.all([
      listAuthoritySigners.many(tx, { tenantId }),
      listSealCertificates.many(tx, { tenantId, departmentIds: null }),
    ]),
  )
  const newest = (['issuing', 'responder'] as const).flatMap((kind) => {
    const found = authorities.find((row) => row.kind === kind)
    return found === undefined ? [] : [expiryOf(kind, found.certificate, true)]
  })
  const active = seals.flatMap(({ state, certificate, origin }) =>
    state === 'Active' && certificate !== null ? [expiryOf('seal', certificate, origin === 'issued')] : [],
  )
  return [...newest, ...active]
}

function expiryOf(kind: Expiry['kind'], der: Buffer, renewsItself: boolean): Expiry {
  const { subject, notAfter } = parseCertificate(der)
  return { kind, subject: formatName(subject), notAfter, renewsItself }
}
