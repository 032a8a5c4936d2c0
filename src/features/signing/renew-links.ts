import type { Platform } from '#platform/platform.ts'
import { nextPage, PAGE_SIZE as most, renewAll } from '#platform/secrets/renew-all.ts'
import { addLinks, listLiveLinks } from './link-statements.ts'
import { linkHash } from './links.ts'

/**
 * Links are made again for reminders, from the secret key; under a new one they would be others. Those become known as
 * well, beside the ones that people have in their mail: both live and die together.
 */
export function renewLinks({ db, keyring }: Platform, tenantId: string): Promise<number> {
  return renewAll((after) =>
    db.transaction(tenantId, async (tx) => {
      const live = await listLiveLinks.many(tx, { tenantId, after, most })
      const links = live.map(({ signatoryId, generation, expiresAt }) => ({
        signatoryId,
        hash: linkHash(keyring, { tenantId, signatoryId, generation }).toString('hex'),
        expiresAt: expiresAt.toISOString(),
      }))
      const renewed = links.length === 0 ? 0 : await addLinks.run(tx, { tenantId, links })
      return { renewed, next: nextPage(live.map(({ signatoryId }) => signatoryId)) }
    }),
  )
}
