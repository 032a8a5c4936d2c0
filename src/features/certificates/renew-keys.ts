// Stored private keys under a new secret key. A row that somebody else has renewed meanwhile is left as it is.
import type { Platform } from '#platform/platform.ts'
import { nextPage, PAGE_SIZE as most, renewAll } from '#platform/secrets/renew-all.ts'
import { listCertificateKeys, renewCertificateKey } from './certificate-statements.ts'
import { listInstallationKeys, renewInstallationKey } from './installation-statements.ts'
import { renewPrivateKey } from './private-keys.ts'

/** Encrypts the installation's own keys under the present secret key; answers how many needed it. */
export function renewInstallationKeys({ db, keyring }: Platform): Promise<number> {
  return renewAll((after) =>
    db.systemTransaction(async (tx) => {
      const keys = await listInstallationKeys.many(tx, { after, most })
      let renewed = 0
      for (const { certificateId, sealed: before } of keys) {
        const sealed = renewPrivateKey(keyring, before, { certificateId })
        if (sealed) renewed += await renewInstallationKey.run(tx, { certificateId, before, sealed })
      }
      return { renewed, next: nextPage(keys.map(({ certificateId }) => certificateId)) }
    }),
  )
}

/** The same for a tenant's authority and seals. */
export function renewTenantKeys({ db, keyring }: Platform, tenantId: string): Promise<number> {
  return renewAll((after) =>
    db.transaction(tenantId, async (tx) => {
      const keys = await listCertificateKeys.many(tx, { tenantId, after, most })
      let renewed = 0
      for (const { certificateId, sealed: before } of keys) {
        const sealed = renewPrivateKey(keyring, before, { tenantId, certificateId })
        if (sealed) renewed += await renewCertificateKey.run(tx, { tenantId, certificateId, before, sealed })
      }
      return { renewed, next: nextPage(keys.map(({ certificateId }) => certificateId)) }
    }),
  )
}
