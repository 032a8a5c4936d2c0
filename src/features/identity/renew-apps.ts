import type { Platform } from '#platform/platform.ts'
import { nextPage, PAGE_SIZE as most, renewAll } from '#platform/secrets/renew-all.ts'
import { lockApps, setAppSecret } from './factor-statements.ts'
import { secretContext } from './second-factor.ts'

/** Encrypts the secrets of a tenant's authenticator apps under the present secret key; answers how many needed it. */
export function renewApps({ db, keyring }: Platform, tenantId: string): Promise<number> {
  return renewAll((after) =>
    db.transaction(tenantId, async (tx) => {
      const apps = await lockApps.many(tx, { tenantId, after, most })
      let renewed = 0
      for (const { userId, secret } of apps) {
        const fresh = keyring.renew(secret, secretContext({ tenantId, userId }))
        if (fresh !== undefined) renewed += await setAppSecret.run(tx, { tenantId, userId, secret: fresh })
      }
      return { renewed, next: nextPage(apps.map(({ userId }) => userId)) }
    }),
  )
}
