import type { Platform } from '#platform/platform.ts'
import { nextPage, PAGE_SIZE as most, renewAll } from '#platform/secrets/renew-all.ts'
import { headersContext, secretContext } from './create-subscription.ts'
import { lockSealedValues, setSealedValues } from './hook-statements.ts'

/** Encrypts a tenant's webhook secrets and headers under the present secret key; answers how many needed it. */
export function renewHookSecrets({ db, keyring }: Platform, tenantId: string): Promise<number> {
  return renewAll((after) =>
    db.transaction(tenantId, async (tx) => {
      const rows = await lockSealedValues.many(tx, { tenantId, after, most })
      let renewed = 0
      for (const { id, secret, previousSecret, headers } of rows) {
        const renew = (sealed: Buffer | null, context: string) =>
          sealed === null ? null : (keyring.renew(sealed, context) ?? sealed)
        const now = {
          secret: renew(secret, secretContext(tenantId, id))!,
          previousSecret: renew(previousSecret, secretContext(tenantId, id)),
          headers: renew(headers, headersContext(tenantId, id)),
        }
        if (now.secret === secret && now.previousSecret === previousSecret && now.headers === headers) continue
        renewed += await setSealedValues.run(tx, { tenantId, id, ...now })
      }
      return { renewed, next: nextPage(rows.map(({ id }) => id)) }
    }),
  )
}
