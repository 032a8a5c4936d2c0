// A signatory's personal link. Its token can be made again from the secret key for a reminder; only its hash is stored.
import { secretHash, type Keyring } from '#platform/secrets/keyring.ts'

export type LinkOwner = { tenantId: string; signatoryId: string; generation: number }

export const FIRST_GENERATION = 1

/** 256 bits that nobody without the secret key can guess. A new generation makes the links before it useless. */
export function linkToken(keyring: Keyring, { tenantId, signatoryId, generation }: LinkOwner): string {
  return keyring.mac('link', `${tenantId}|${signatoryId}|${generation}`).toString('base64url')
}

export function linkHash(keyring: Keyring, owner: LinkOwner): Buffer {
  return secretHash(linkToken(keyring, owner))
}
