import { createHash } from 'node:crypto'
import { parseCertificate } from '#pki/certificate.ts'
import { formatName } from '#pki/names.ts'
import type { SealRow } from './seal-statements.ts'

/** A seal certificate as the API shows it. */
export function sealBody({ certificate, createdAt, revokedAt, ...row }: SealRow) {
  const facts = certificate === null ? NOTHING_YET : describeCertificate(certificate)
  return { ...row, ...facts, creationDate: createdAt, revocationDate: revokedAt }
}

const NOTHING_YET = { subject: null, issuer: null, serialNumber: null, sha256: null, notBefore: null, notAfter: null }

/** What a certificate says of itself. */
export function describeCertificate(der: Buffer) {
  const { subject, issuer, serial, notBefore, notAfter } = parseCertificate(der)
  return {
    subject: formatName(subject),
    issuer: formatName(issuer),
    serialNumber: serial.toString('hex'),
    sha256: createHash('sha256').update(der).digest('hex'),
    notBefore,
    notAfter,
  }
}
