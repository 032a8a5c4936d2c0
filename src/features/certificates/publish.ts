// What the world may know about our certificates: lists and answers, signed here in the worker, stored, and served by
// the server without any key.
import { parseCertificate, keyIdentifier, type Certificate } from '#pki/certificate.ts'
import { issueCrl, type RevokedCertificate } from '#pki/crl.ts'
import { certificateId } from '#pki/ocsp-id.ts'
import { issueOcspResponse, type CertificateStatus } from '#pki/ocsp.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import type { Tx } from '#platform/db/database.ts'
import { insertAuthority, lockAuthority, updateCrl, upsertStatus } from './publish-statements.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Lists and answers are made anew long before they end. */
export const CRL_LIFE_MS = 7 * DAY_MS
export const STATUS_LIFE_MS = 3 * DAY_MS

/** The name of an authority in the addresses of what is published about it. */
export const keyIdOf = ({ subjectKeyIdentifier, keyBits }: Certificate) =>
  subjectKeyIdentifier ?? keyIdentifier(keyBits)

const after = (now: Date, ms: number) => new Date(now.getTime() + ms)

/** Publishes a new authority with an empty list. */
export async function publishAuthority(
  tx: Tx,
  { authority, tenantId, now }: { authority: RawSigner; tenantId: string | null; now: Date },
): Promise<void> {
  const nextUpdate = after(now, CRL_LIFE_MS)
  const crl = await issueCrl(authority, { revoked: [], thisUpdate: now, nextUpdate, number: 1 })
  const { certificate } = authority
  const keyId = keyIdOf(parseCertificate(certificate))
  await insertAuthority.run(tx, { keyId, tenantId, certificate, crl, nextUpdate })
}

/** Publishes an authority's next list. */
export async function publishCrl(
  tx: Tx,
  { authority, revoked, now }: { authority: RawSigner; revoked: RevokedCertificate[]; now: Date },
): Promise<void> {
  const keyId = keyIdOf(parseCertificate(authority.certificate))
  const crlNumber = (await lockAuthority.one(tx, { keyId })).crlNumber + 1
  const nextUpdate = after(now, CRL_LIFE_MS)
  const crl = await issueCrl(authority, { revoked, thisUpdate: now, nextUpdate, number: crlNumber })
  await updateCrl.run(tx, { keyId, crl, crlNumber, nextUpdate })
}

export type StatusToPublish = {
  /** The issuer itself or its delegate. */
  responder: RawSigner
  issuer: Certificate
  certificate: Pick<Certificate, 'serial' | 'notAfter'>
  status: CertificateStatus
  now: Date
}

/** Publishes the answer to whoever asks about a certificate, under both of the names that clients use for it. */
export async function publishStatus(tx: Tx, given: StatusToPublish): Promise<void> {
  const { responder, issuer, certificate, status, now } = given
  const nextUpdate = after(now, STATUS_LIFE_MS)
  const responses = (['sha1', 'sha256'] as const).map((hash) => ({
    id: certificateId(certificate, issuer, hash),
    status,
    thisUpdate: now,
    nextUpdate,
  }))
  const response = await issueOcspResponse(responder, { responses, producedAt: now })
  const { serial, notAfter } = certificate
  await upsertStatus.run(tx, { issuerKeyId: keyIdOf(issuer), serial, response, nextUpdate, notAfter })
}
