// Everything that a tenant's authority issues goes through here: certificate, key and published answer in one go.
import type { KeyObject } from 'node:crypto'
import { parseCertificate } from '#pki/certificate.ts'
import type { SignatureAlgorithm } from '#pki/algorithms.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { insertCertificate, insertCertificateKey } from './certificate-statements.ts'
import { sealPrivateKey, sealRemoteName } from './private-keys.ts'
import { keyIdOf, publishStatus } from './publish.ts'

export type Issued = {
  platform: Platform
  tenantId: string
  /** Of the row that waits for it; a new one unless given. */
  id?: string
  kind: 'issuing' | 'responder' | 'seal' | 'signatory'
  certificate: Buffer
  chain: readonly Buffer[]
  issuer: RawSigner
  /** Who answers for it; nobody asks about a responder itself. */
  responder?: RawSigner
  departmentId?: string
  requestId?: string
  now: Date
}

/** Stores what an authority has just issued, and publishes that it is good. Answers with its id. */
export async function keepIssued(tx: Tx, issued: Issued): Promise<string> {
  const { platform, tenantId, kind, certificate: der, chain, issuer, responder, now } = issued
  const { id = newId() } = issued
  const certificate = parseCertificate(der)
  const authority = parseCertificate(issuer.certificate)
  const kept = await insertCertificate.run(tx, {
    tenantId,
    id,
    kind,
    departmentId: issued.departmentId ?? null,
    requestId: issued.requestId ?? null,
    issuerKeyId: keyIdOf(authority),
    serial: certificate.serial,
    certificate: der,
    chain: [...chain],
    baseUrl: platform.config.publicUrl ?? null,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    now,
  })
  if (kept !== 1) throw new Error('the certificate is not wanted any more')
  if (responder) await publishStatus(tx, { responder, issuer: authority, certificate, status: 'good', now })
  return id
}

export type KeyToKeep = {
  platform: Platform
  tenantId: string
  certificateId: string
  key: StoredKey
  algorithm: SignatureAlgorithm
}

/** Held here, or with a remote signing service under this name. */
export type StoredKey = { privateKey: KeyObject } | { remoteKey: string }

/** Stores the private key of a certificate, encrypted. */
export async function keepKey(tx: Tx, { platform, tenantId, certificateId, key, algorithm }: KeyToKeep) {
  const { keyring } = platform
  const owner = { tenantId, certificateId }
  const sealed =
    'privateKey' in key ? sealPrivateKey(keyring, key.privateKey, owner) : sealRemoteName(keyring, key.remoteKey, owner)
  await insertCertificateKey.run(tx, { tenantId, certificateId, algorithm, sealed })
}
