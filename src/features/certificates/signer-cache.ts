// Opened keys, kept as long as the process lives: decrypting and parsing one costs more than signing with it. Which
// certificate to use is asked of the database each time, so one that is revoked is never used again.
import { memorySigner, type RawSigner, type SignerIdentity } from '#pki/raw-signer.ts'
import type { Platform } from '#platform/platform.ts'
import { openPrivateKey } from './private-keys.ts'

const MOST_KEPT = 1_000
const caches = new WeakMap<Platform, Map<string, RawSigner>>()

export type StoredSigner = SignerIdentity & { id: string; sealed: Buffer; tenantId?: string }

/** The signer of a stored certificate. The same object each time, so that what is made from it can be kept too. */
export function openSigner(platform: Platform, stored: StoredSigner): RawSigner {
  const cache = caches.get(platform) ?? new Map<string, RawSigner>()
  caches.set(platform, cache)
  const known = cache.get(stored.id)
  if (known !== undefined) return known
  const { id, tenantId, certificate, chain, algorithm } = stored
  const owner = { certificateId: id, ...(tenantId !== undefined && { tenantId }) }
  const privateKey = openPrivateKey(platform.keyring, stored.sealed, owner)
  const signer = memorySigner({ certificate, chain, algorithm, privateKey })
  if (cache.size >= MOST_KEPT) cache.delete(cache.keys().next().value!)
  cache.set(id, signer)
  return signer
}
