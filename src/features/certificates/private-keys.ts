// Private keys at rest: encrypted, and bound to the certificate that they belong to, so that two rows can't be swapped.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Keyring } from '#platform/secrets/keyring.ts'

export const ALGORITHMS = ['ES256', 'ES384', 'PS256', 'RS256'] as const

/** Whose key it is; the installation's own belong to no tenant. */
export type KeyOwner = { tenantId?: string; certificateId: string }

const contextOf = ({ tenantId, certificateId }: KeyOwner) =>
  `private key ${tenantId ?? 'installation'} ${certificateId}`

export function sealPrivateKey(keyring: Keyring, privateKey: KeyObject, owner: KeyOwner): Buffer {
  const plain = privateKey.export({ format: 'der', type: 'pkcs8' })
  const sealed = keyring.seal(plain, contextOf(owner))
  plain.fill(0)
  return sealed
}

/** The same key sealed under the present secret key; undefined where it is so already. */
export function renewPrivateKey(keyring: Keyring, sealed: Buffer, owner: KeyOwner): Buffer | undefined {
  return keyring.renew(sealed, contextOf(owner))
}

export function openPrivateKey(keyring: Keyring, sealed: Buffer, owner: KeyOwner): KeyObject {
  const plain = keyring.open(sealed, contextOf(owner))
  const privateKey = createPrivateKey({ key: plain, format: 'der', type: 'pkcs8' })
  plain.fill(0)
  return privateKey
}

/** For a key that lies elsewhere its name is kept, bound to the certificate in the same way. */
export function sealRemoteName(keyring: Keyring, name: string, owner: KeyOwner): Buffer {
  return keyring.seal(Buffer.from(name), contextOf(owner))
}

export function openRemoteName(keyring: Keyring, sealed: Buffer, owner: KeyOwner): string {
  return keyring.open(sealed, contextOf(owner)).toString()
}
