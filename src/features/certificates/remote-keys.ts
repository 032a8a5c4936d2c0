// Seals whose keys lie with a remote signing service. Here are only their names; the service signs digests, one by one.
import { cscKey, cscSigner } from '#pki/csc-signer.ts'
import { PkiError } from '#pki/errors.ts'
import type { RawSigner, SignerIdentity } from '#pki/raw-signer.ts'
import type { RemoteKey } from '#platform/config/remote-keys.ts'
import { askRemoteSigner, readRemoteSecrets } from '#platform/outbound/remote-signer-client.ts'
import type { Platform } from '#platform/platform.ts'
import { remoteSignerTrouble } from '#platform/troubles/trouble-names.ts'
import { watchTrouble } from '#platform/troubles/troubles.ts'
import { remoteKeyGone, remoteSignerRefused } from './errors.ts'

type Named = { tenantId: string; name: string }

/** The key that the operator has set up for this tenant under this name. */
export function findRemoteKey({ config }: Pick<Platform, 'config'>, { tenantId, name }: Named): RemoteKey | undefined {
  const key = config.remoteKeys.get(name)
  return key?.tenantId === tenantId ? key : undefined
}

/** Asks the service which certificate the key has, and which stand above it. */
export async function readRemoteIdentity(platform: Platform, key: RemoteKey): Promise<SignerIdentity> {
  const { certificate, chain, algorithm } = await watch(platform, key, async () =>
    cscSigner({ ...optionsFor(key), secrets: {} }),
  )
  return { certificate, chain, algorithm }
}

/** Signs by asking the service. A refusal is told as one: asked again and again, a wrong PIN would lock the key. */
export function remoteSigner(platform: Platform, identity: SignerIdentity, named: Named): RawSigner {
  return {
    ...identity,
    async signDigest(digest) {
      const key = findRemoteKey(platform, named)
      if (key === undefined) throw remoteKeyGone(named.name)
      try {
        return await watch(platform, key, async () => {
          const secrets = await readRemoteSecrets(key)
          return cscKey({ ...optionsFor(key), secrets }, identity.certificate).signDigest(digest)
        })
      } catch (error) {
        if (error instanceof PkiError && error.code === 'remote-signer-refused') throw remoteSignerRefused(error)
        throw error
      }
    },
  }
}

function watch<T>(platform: Platform, { name }: RemoteKey, call: () => Promise<T>): Promise<T> {
  return watchTrouble(platform, remoteSignerTrouble(name), call)
}

const optionsFor = (key: RemoteKey) => ({
  post: (method: string, body: Record<string, unknown>) => askRemoteSigner(key, method, body),
  credentialId: key.credentialId,
  algorithm: key.algorithm,
})
