import { createHash } from 'node:crypto'
import { parseCertificate } from '#pki/certificate.ts'
import { formatName } from '#pki/names.ts'
import type { SealRow } from './seal-statements.ts'

/** A seal certificate as the API shows it. */
export function sealBody({ certificate, createdAt, revokedAt, ...row }: SealRow) {
  return { ...row, ...describeCertificate(certificate), creationDate: createdAt, revocationDate: revokedAt }
}

function describeCertificate(der: Buffer | null) {
  if (der === null) {
    return { subject: null, issuer: null, serialNumber: null, sha256: null, notBefore: null, notAfter: null }
  }
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
