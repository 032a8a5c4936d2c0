// The certificates that the installation makes for itself at its first start: a root, which vouches for every tenant's
// authority, a timestamp signer, and the responder that answers for both.
import type { KeyObject } from 'node:crypto'
import { makeOcspResponderCertificate, makeRoot, makeTimestampCertificate } from '#pki/authority.ts'
import { parseCertificate } from '#pki/certificate.ts'
import { generateKey, memoryKey, type RawSigner } from '#pki/raw-signer.ts'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import {
  holdInstallation,
  insertInstallationCertificate,
  insertInstallationKey,
  listInstallationSigners,
  type INSTALLATION_KINDS,
} from './installation-statements.ts'
import { sealPrivateKey } from './private-keys.ts'
import { publishAuthority, publishStatus } from './publish.ts'
import { openSigner } from './signer-cache.ts'

export type Installation = { root: RawSigner; timestamp: RawSigner; responder: RawSigner }

type Kind = (typeof INSTALLATION_KINDS)[number]

const ALGORITHM = 'ES256'
const DAY_MS = 24 * 60 * 60 * 1000
/** A certificate is replaced this long before it ends. */
export const RENEW_BEFORE_MS = 60 * DAY_MS

type Known = { installation: Installation; goodUntil: Date }
const known = new WeakMap<Platform, Known>()

/** The installation's signers; makes those that are missing or about to end. However many start at once, it is done once. */
export async function ensureInstallation(platform: Platform, now: Date): Promise<Installation> {
  const remembered = known.get(platform)
  if (remembered !== undefined && now < remembered.goodUntil) return remembered.installation
  const { db } = platform
  const found =
    (await db.systemTransaction((tx) => readInstallation(tx, platform, now))) ??
    (await db.systemTransaction(async (tx) => {
      await holdInstallation.one(tx, {})
      return (await readInstallation(tx, platform, now)) ?? (await makeInstallation(tx, platform, now))
    }))
  known.set(platform, found)
  return found.installation
}

type Stored = Awaited<ReturnType<typeof listInstallationSigners.many>>[number]

async function readCurrent(tx: Tx, { config }: Platform, now: Date) {
  const stored = await listInstallationSigners.many(tx, {})
  const isCurrent = ({ kind, certificate, notAfter, baseUrl }: Stored) =>
    parseCertificate(certificate).notBefore <= now &&
    notAfter.getTime() - RENEW_BEFORE_MS > now.getTime() &&
    (kind !== 'timestamp' || baseUrl === (config.publicUrl ?? null))
  const current = stored.filter(isCurrent)
  const newest = (kind: Kind) => current.find((row) => row.kind === kind)
  return { root: newest('root'), timestamp: newest('timestamp'), responder: newest('responder') }
}

async function readInstallation(tx: Tx, platform: Platform, now: Date): Promise<Known | undefined> {
  const { root, timestamp, responder } = await readCurrent(tx, platform, now)
  if (root === undefined || timestamp === undefined || responder === undefined) return undefined
  const chain = [root.certificate]
  const ends = [root, timestamp, responder].map(({ notAfter }) => notAfter.getTime())
  return {
    installation: {
      root: openSigner(platform, { ...root, chain: [] }),
      timestamp: openSigner(platform, { ...timestamp, chain }),
      responder: openSigner(platform, { ...responder, chain }),
    },
    goodUntil: new Date(Math.min(...ends) - RENEW_BEFORE_MS),
  }
}

async function makeInstallation(tx: Tx, platform: Platform, now: Date): Promise<Known> {
  const present = await readCurrent(tx, platform, now)
  const root = present.root
    ? openSigner(platform, { ...present.root, chain: [] })
    : await makeRootOnce(tx, platform, now)
  // What an earlier root has issued is of no use below a new one.
  if (present.root === undefined || present.responder === undefined) {
    await makeBelow(tx, { platform, kind: 'responder', now }, (publicKey) =>
      makeOcspResponderCertificate(root, { publicKey, name: 'Countersign revocation status', now }),
    )
  }
  if (present.root === undefined || present.timestamp === undefined) {
    const { publicUrl: baseUrl } = platform.config
    await makeBelow(tx, { platform, kind: 'timestamp', now }, (publicKey) =>
      makeTimestampCertificate(root, { publicKey, name: 'Countersign timestamps', now, ...(baseUrl && { baseUrl }) }),
    )
  }
  const made = await readInstallation(tx, platform, now)
  if (made === undefined) throw new Error('the certificates of the installation could not be read back')
  await publishTimestampStatus(tx, made.installation, now)
  return made
}

async function publishTimestampStatus(tx: Tx, { root, timestamp, responder }: Installation, now: Date): Promise<void> {
  const [issuer, certificate] = [parseCertificate(root.certificate), parseCertificate(timestamp.certificate)]
  await publishStatus(tx, { responder, issuer, certificate, status: 'good', now })
}

async function makeRootOnce(tx: Tx, platform: Platform, now: Date): Promise<RawSigner> {
  const { publicKey, privateKey } = await generateKey(ALGORITHM)
  const key = memoryKey(privateKey, ALGORITHM)
  const certificate = await makeRoot({ publicKey, key, name: 'Countersign root', now })
  await keep(tx, { platform, kind: 'root', now }, certificate, privateKey)
  const authority = { certificate, chain: [], ...key }
  await publishAuthority(tx, { authority, tenantId: null, now })
  return authority
}

type Making = { platform: Platform; kind: Kind; now: Date }

async function makeBelow(tx: Tx, making: Making, certify: (publicKey: KeyObject) => Promise<Buffer>): Promise<void> {
  const { publicKey, privateKey } = await generateKey(ALGORITHM)
  await keep(tx, making, await certify(publicKey), privateKey)
}

async function keep(
  tx: Tx,
  { platform, kind, now }: Making,
  certificate: Buffer,
  privateKey: KeyObject,
): Promise<void> {
  const id = newId()
  const { notAfter } = parseCertificate(certificate)
  const baseUrl = kind === 'timestamp' ? (platform.config.publicUrl ?? null) : null
  await insertInstallationCertificate.run(tx, { id, kind, certificate, baseUrl, notAfter, now })
  const sealed = sealPrivateKey(platform.keyring, privateKey, { certificateId: id })
  await insertInstallationKey.run(tx, { id, algorithm: ALGORITHM, sealed })
}
