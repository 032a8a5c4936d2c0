// Each tenant has an issuing authority of its own below the installation's root, so that nothing which one tenant does
// can cost another its certificates.
import { makeIssuingAuthority, makeOcspResponderCertificate, makeSealCertificate } from '#pki/authority.ts'
import { parseCertificate } from '#pki/certificate.ts'
import { fitCommonName } from '#pki/names.ts'
import { generateKey, memoryKey, type RawSigner } from '#pki/raw-signer.ts'
import { findRootOrganisation } from '#platform/auth/organisation-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { holdAuthority, listAuthoritySigners } from './certificate-statements.ts'
import { ensureInstallation, RENEW_BEFORE_MS } from './installation.ts'
import { keepIssued, keepKey } from './issue.ts'
import { keyIdOf, publishAuthority } from './publish.ts'
import { openSigner } from './signer-cache.ts'

export type TenantAuthority = { issuing: RawSigner; responder: RawSigner }

const ALGORITHM = 'ES256'
const MOST_KEPT = 1_000

type Known = { authority: TenantAuthority; goodUntil: Date }
const known = new WeakMap<Platform, Map<string, Known>>()

/** The tenant's authority and its responder. Where there is none yet it is made, with a seal for the root department. */
export async function ensureTenantAuthority(
  platform: Platform,
  { tenantId, now }: { tenantId: string; now: Date },
): Promise<TenantAuthority> {
  const cache = known.get(platform) ?? new Map<string, Known>()
  known.set(platform, cache)
  const remembered = cache.get(tenantId)
  if (remembered !== undefined && now < remembered.goodUntil) return remembered.authority
  const { root } = await ensureInstallation(platform, now)
  const rootKeyId = keyIdOf(parseCertificate(root.certificate))
  const work = { platform, tenantId, rootKeyId, now }
  const found = (await platform.db.transaction(tenantId, (tx) => readAuthority(tx, work))) ?? (await makeOnce(work))
  if (cache.size >= MOST_KEPT) cache.delete(cache.keys().next().value!)
  cache.set(tenantId, found)
  return found.authority
}

type Work = { platform: Platform; tenantId: string; rootKeyId: Buffer; now: Date }

type Stored = Awaited<ReturnType<typeof listAuthoritySigners.many>>[number]

async function readCurrent(tx: Tx, { platform, tenantId, rootKeyId, now }: Work) {
  const stored = await listAuthoritySigners.many(tx, { tenantId })
  const isLasting = ({ notBefore, notAfter }: Stored) =>
    notBefore <= now && notAfter.getTime() - RENEW_BEFORE_MS > now.getTime()
  const issuing = stored
    .filter(({ kind, issuerKeyId, baseUrl }) => {
      const isOurs = issuerKeyId.equals(rootKeyId) && baseUrl === (platform.config.publicUrl ?? null)
      return kind === 'issuing' && isOurs
    })
    .find(isLasting)
  const keyId = issuing && keyIdOf(parseCertificate(issuing.certificate))
  const responder = stored
    .filter(({ kind, issuerKeyId }) => kind === 'responder' && keyId !== undefined && issuerKeyId.equals(keyId))
    .find(isLasting)
  return { issuing, responder, isFirst: stored.length === 0 }
}

async function readAuthority(tx: Tx, work: Work): Promise<Known | undefined> {
  const { issuing, responder } = await readCurrent(tx, work)
  if (issuing === undefined || responder === undefined) return undefined
  const open = (row: Stored) => openSigner(work.platform, { ...row, tenantId: work.tenantId })
  return {
    authority: { issuing: open(issuing), responder: open(responder) },
    goodUntil: new Date(Math.min(issuing.notAfter.getTime(), responder.notAfter.getTime()) - RENEW_BEFORE_MS),
  }
}

/** Another process may be making it at the same moment; then this one waits and takes what the other made. */
async function makeOnce(work: Work): Promise<Known> {
  const { platform, tenantId, now } = work
  const installation = await ensureInstallation(platform, now)
  return platform.db.transaction(tenantId, async (tx) => {
    await holdAuthority.one(tx, { tenantId })
    const made = await readAuthority(tx, work)
    if (made !== undefined) return made
    const present = await readCurrent(tx, work)
    const issuing = present.issuing
      ? openSigner(platform, { ...present.issuing, tenantId })
      : await makeAuthority(tx, { ...work, installation })
    const responder = await makeResponder(tx, { ...work, issuing })
    if (present.isFirst) await makeRootSeal(tx, { ...work, issuing, responder })
    const found = await readAuthority(tx, work)
    if (found === undefined) throw new Error('the authority of the tenant could not be read back')
    return found
  })
}

type Installation = Awaited<ReturnType<typeof ensureInstallation>>

async function makeAuthority(
  tx: Tx,
  { platform, tenantId, installation, now }: Work & { installation: Installation },
): Promise<RawSigner> {
  const found = await findRootOrganisation.one(tx, { tenantId })
  const organisation = nameOr(found.organisation, tenantId)
  const { publicKey, privateKey } = await generateKey(ALGORITHM)
  const { root, responder } = installation
  const certificate = await makeIssuingAuthority(root, {
    publicKey,
    name: `${organisation} certificates`,
    organization: organisation,
    now,
    ...published(platform),
  })
  const chain = [root.certificate]
  const issued = { platform, tenantId, kind: 'issuing', certificate, chain, issuer: root, responder, now } as const
  const certificateId = await keepIssued(tx, issued)
  await keepKey(tx, { platform, tenantId, certificateId, key: { privateKey }, algorithm: ALGORITHM })
  const authority = { certificate, chain, ...memoryKey(privateKey, ALGORITHM) }
  await publishAuthority(tx, { authority, tenantId, now })
  return authority
}

/** A name may be nothing but white space, and a certificate has to name somebody. */
const nameOr = (name: string, id: string) => (fitCommonName(name) === '' ? id : name)

async function makeResponder(
  tx: Tx,
  { platform, tenantId, issuing, now }: Work & { issuing: RawSigner },
): Promise<RawSigner> {
  const { publicKey, privateKey } = await generateKey(ALGORITHM)
  const name = 'Revocation status'
  const certificate = await makeOcspResponderCertificate(issuing, { publicKey, name, now })
  const chain = [issuing.certificate]
  const issued = { platform, tenantId, kind: 'responder', certificate, chain, issuer: issuing, now } as const
  const certificateId = await keepIssued(tx, issued)
  await keepKey(tx, { platform, tenantId, certificateId, key: { privateKey }, algorithm: ALGORITHM })
  return { certificate, chain, ...memoryKey(privateKey, ALGORITHM) }
}

async function makeRootSeal(tx: Tx, work: Omit<Work, 'rootKeyId'> & TenantAuthority): Promise<void> {
  const { departmentId, departmentName, organisation } = await findRootOrganisation.one(tx, work)
  await issueSeal(tx, { ...work, departmentId, departmentName, organisation })
}

export type SealToIssue = TenantAuthority & {
  platform: Platform
  tenantId: string
  /** Of the row that waits for it; a new one unless given. */
  id?: string
  departmentId: string
  departmentName: string
  organisation: string
  now: Date
}

/** Makes a department's seal: key and certificate, ready for use. Answers with its id. */
export async function issueSeal(tx: Tx, seal: SealToIssue): Promise<string> {
  const { platform, tenantId, departmentId, issuing, responder, now } = seal
  const { publicKey, privateKey } = await generateKey(ALGORITHM)
  const certificate = await makeSealCertificate(issuing, {
    publicKey,
    name: nameOr(seal.departmentName, departmentId),
    organization: nameOr(seal.organisation, tenantId),
    now,
    ...published(platform),
  })
  const chain = [issuing.certificate]
  const wanted = seal.id === undefined ? {} : { id: seal.id }
  const issued = { platform, tenantId, ...wanted, kind: 'seal', departmentId, certificate, chain, now } as const
  const certificateId = await keepIssued(tx, { ...issued, issuer: issuing, responder })
  await keepKey(tx, { platform, tenantId, certificateId, key: { privateKey }, algorithm: ALGORITHM })
  return certificateId
}

/** Certificates name addresses only where the operator has said from where we are reachable. */
export function published({ config }: Platform): { baseUrl?: string } {
  return config.publicUrl === undefined ? {} : { baseUrl: config.publicUrl }
}
