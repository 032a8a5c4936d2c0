// Opened keys, kept as long as the process lives: decrypting and parsing one costs more than signing with it. Which
// certificate to use is asked of the database each time, so one that is revoked is never used again.
import { memorySigner, type RawSigner, type SignerIdentity } from '#pki/raw-signer.ts'
import type { Platform } from '#platform/platform.ts'
import { openPrivateKey, openRemoteName } from './private-keys.ts'
import { remoteSigner } from './remote-keys.ts'

const MOST_KEPT = 1_000
const caches = new WeakMap<Platform, Map<string, RawSigner>>()

export type StoredSigner = SignerIdentity & { id: string; sealed: Buffer; tenantId?: string; origin?: string }

/** The signer of a stored certificate. The same object each time, so that what is made from it can be kept too. */
export function openSigner(platform: Platform, stored: StoredSigner): RawSigner {
  const cache = caches.get(platform) ?? new Map<string, RawSigner>()
  caches.set(platform, cache)
  const known = cache.get(stored.id)
  if (known !== undefined) return known
  const signer = open(platform, stored)
  if (cache.size >= MOST_KEPT) cache.delete(cache.keys().next().value!)
  cache.set(stored.id, signer)
  return signer
}

function open(platform: Platform, { id, tenantId, origin, sealed, ...stored }: StoredSigner): RawSigner {
  const { certificate, chain, algorithm } = stored
  const identity = { certificate, chain, algorithm }
  const owner = { certificateId: id, ...(tenantId !== undefined && { tenantId }) }
  if (origin === 'remote' && tenantId !== undefined) {
    return remoteSigner(platform, identity, { tenantId, name: openRemoteName(platform.keyring, sealed, owner) })
  }
  return memorySigner({ ...identity, privateKey: openPrivateKey(platform.keyring, sealed, owner) })
}
