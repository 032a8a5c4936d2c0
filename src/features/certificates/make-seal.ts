// Pending to Active or Failed, in the worker: only here are private keys seen.
import { parseCertificate, isSelfIssued, type Certificate } from '#pki/certificate.ts'
import { PkiError } from '#pki/errors.ts'
import { importPem, importPkcs12, type ImportedKey } from '#pki/import-key.ts'
import { validatePath } from '#pki/path.ts'
import type { SignerIdentity } from '#pki/raw-signer.ts'
import { findOrganisation } from '#platform/auth/organisation-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import { AppError } from '#platform/errors.ts'
import type { JobRun } from '#platform/jobs/job-handler.ts'
import { RETRY_AFTER_S } from '#platform/jobs/retry-after.ts'
import { OutboundError } from '#platform/outbound/fetch-bytes.ts'
import type { Platform } from '#platform/platform.ts'
import { remoteKeyGone } from './errors.ts'
import { keepKey, type StoredKey } from './issue.ts'
import { canBeProtected } from './outside-revocation.ts'
import { findRemoteKey, readRemoteIdentity } from './remote-keys.ts'
import {
  activateImportedSeal,
  failSeal,
  lockSealCertificate,
  replaceEarlierSeals,
  type SealRow,
} from './seal-statements.ts'
import { openUpload, type SealUpload } from './seal-upload.ts'
import { ensureTenantAuthority, issueSeal } from './tenant-authority.ts'

/** Makes or imports the seal that the job names, and puts it in the place of the department's earlier one. */
export async function makeSeal(platform: Platform, job: JobRun): Promise<void> {
  const { tenantId, payload } = job
  const certificateId = String(payload['certificateId'])
  const now = platform.clock.now()
  const authority = await ensureTenantAuthority(platform, { tenantId, now })
  const read = (await readRemote(platform, job)) ?? readImport(platform, job, { certificateId, now })
  await platform.db.transaction(tenantId, async (tx) => {
    const pending = await lockSealCertificate.maybeOne(tx, { tenantId, id: certificateId })
    if (pending?.state === 'Pending') {
      if (read === undefined) await generate(tx, { platform, tenantId, pending, ...authority, now })
      else if ('reason' in read) await failSeal.run(tx, { tenantId, id: certificateId, reason: read.reason })
      else await keepImported(tx, { platform, tenantId, pending, imported: read.imported })
    }
    await job.finish(tx)
  })
}

type Authority = Awaited<ReturnType<typeof ensureTenantAuthority>>
type Making = { platform: Platform; tenantId: string; pending: SealRow }

async function generate(tx: Tx, making: Making & Authority & { now: Date }): Promise<void> {
  const { tenantId, pending } = making
  const { id, departmentId } = pending
  const { departmentName, organisation } = await findOrganisation.one(tx, { tenantId, departmentId })
  await issueSeal(tx, { ...making, id, departmentId, departmentName, organisation })
  await replaceEarlierSeals.run(tx, { tenantId, departmentId, id })
}

async function keepImported(
  tx: Tx,
  { platform, tenantId, pending, imported }: Making & { imported: Imported },
): Promise<void> {
  const { certificate, chain, key, algorithm } = imported
  const { id, departmentId } = pending
  const { serial, notBefore, notAfter } = parseCertificate(certificate)
  await activateImportedSeal.run(tx, { tenantId, id, serial, certificate, chain, notBefore, notAfter })
  await keepKey(tx, { platform, tenantId, certificateId: id, key, algorithm })
  await replaceEarlierSeals.run(tx, { tenantId, departmentId, id })
}

type Imported = SignerIdentity & { key: StoredKey }
type Read = { imported: Imported } | { reason: string } | undefined

/** What the remote signing service says of the key that the job names. One that is down is asked again later. */
async function readRemote(platform: Platform, { tenantId, payload, attempt }: JobRun): Promise<Read> {
  const name = payload['remoteKey']
  if (typeof name !== 'string') return undefined
  try {
    const key = findRemoteKey(platform, { tenantId, name })
    if (key === undefined) throw remoteKeyGone(name)
    const identity = await readRemoteIdentity(platform, key)
    return requireLasting({ ...identity, key: { remoteKey: name } }, platform.clock.now())
  } catch (error) {
    if (error instanceof PkiError || error instanceof AppError) return { reason: error.message }
    if (error instanceof OutboundError && attempt >= RETRY_AFTER_S.length) return { reason: `${error.message}.` }
    throw error
  }
}

function readImport(
  { keyring }: Platform,
  job: JobRun,
  { certificateId, now }: { certificateId: string; now: Date },
): Read {
  const { tenantId, payload } = job
  const sealed = payload['upload']
  if (typeof sealed !== 'string') return undefined
  const upload = openUpload(keyring, sealed, { tenantId, certificateId })
  try {
    const { privateKey, ...identity } = readKey(upload, now)
    return requireLasting({ ...identity, key: { privateKey } }, now)
  } catch (error) {
    if (error instanceof PkiError) return { reason: error.message }
    throw error
  }
}

function requireLasting(imported: Imported, now: Date): Read {
  requireLastingSeals([imported.certificate, ...imported.chain].map(parseCertificate), now)
  return { imported }
}

function readKey({ kind, content, password }: SealUpload, now: Date): ImportedKey {
  if (kind === 'pem') return importPem(content, { now, ...(password !== undefined && { password }) })
  return importPkcs12(Buffer.from(content, 'base64'), { password: password ?? '', now })
}

/** A seal must reach B-LTA, so its chain has to be whole, sound, and open to questions about revocation. */
function requireLastingSeals(chain: Certificate[], now: Date): void {
  const top = chain.at(-1)!
  if (!isSelfIssued(top)) {
    const advice = 'Export it together with all certificates of its chain, up to the root.'
    throw new PkiError('bad-argument', `The file does not hold the authorities above the certificate. ${advice}`)
  }
  const [certificate, ...intermediates] = chain as [Certificate, ...Certificate[]]
  const question = { certificate, intermediates, anchors: [top], time: now }
  const [problem] = validatePath({ ...question, purpose: 'signature' }).problems
  if (problem !== undefined) throw new PkiError('bad-argument', `The certificate can't be used: ${problem.message}`)
  if (!canBeProtected(chain)) {
    const reason = 'names no address where its revocation can be asked about, so seals made with it could not last'
    throw new PkiError('bad-argument', `The certificate or one above it ${reason}.`)
  }
}
