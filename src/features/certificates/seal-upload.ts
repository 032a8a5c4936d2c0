// A key on its way from the caller to the worker. The server encrypts it at once, so that it lies in the job as it will
// lie in its own table: unreadable without the secret key, and bound to the certificate that it is for.
import type { Keyring } from '#platform/secrets/keyring.ts'

export type SealUpload = { kind: 'pkcs12' | 'pem'; content: string; password?: string }

type Owner = { tenantId: string; certificateId: string }

const contextOf = ({ tenantId, certificateId }: Owner) => `seal upload ${tenantId} ${certificateId}`

export function sealUpload(keyring: Keyring, upload: SealUpload, owner: Owner): string {
  return keyring.seal(Buffer.from(JSON.stringify(upload)), contextOf(owner)).toString('base64')
}

export function openUpload(keyring: Keyring, sealed: string, owner: Owner): SealUpload {
  return JSON.parse(keyring.open(Buffer.from(sealed, 'base64'), contextOf(owner)).toString()) as SealUpload
}
