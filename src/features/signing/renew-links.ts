import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { nextPage, PAGE_SIZE as most, renewAll, type RenewedPage } from '#platform/secrets/renew-all.ts'
import { copyToken } from './flow/copy-links.ts'
import { addLinks, listLiveCopyLinks, listLiveLinks } from './link-statements.ts'
import { linkHash } from './links.ts'

/**
 * Links are made again for reminders and for messages that were not sent yet, from the secret key; under a new one they
 * would be others. Those become known as well, beside the ones that people have in their mail: both live and die together.
 */
export async function renewLinks({ db, keyring, clock }: Platform, tenantId: string): Promise<number> {
  const signing = await renewAll((after) =>
    db.transaction(tenantId, async (tx) => {
      const live = await listLiveLinks.many(tx, { tenantId, after, most })
      const links = live.map(({ signatoryId, generation, expiresAt }) => ({
        signatoryId,
        hash: linkHash(keyring, { tenantId, signatoryId, generation }),
        expiresAt,
      }))
      return makeKnown(tx, { tenantId, kind: 'link', links })
    }),
  )
  const copies = await renewAll((after) =>
    db.transaction(tenantId, async (tx) => {
      const live = await listLiveCopyLinks.many(tx, { tenantId, after, now: clock.now(), most })
      const links = live.map(({ signatoryId, expiresAt }) => ({
        signatoryId,
        hash: secretHash(copyToken(keyring, { tenantId, signatoryId })),
        expiresAt,
      }))
      return makeKnown(tx, { tenantId, kind: 'copylink', links })
    }),
  )
  return signing + copies
}

type Links = {
  tenantId: string
  kind: 'link' | 'copylink'
  links: { signatoryId: string; hash: Buffer; expiresAt: Date }[]
}

async function makeKnown(tx: Tx, { tenantId, kind, links }: Links): Promise<RenewedPage> {
  const rows = links.map(({ signatoryId, hash, expiresAt }) => ({
    signatoryId,
    hash: hash.toString('hex'),
    expiresAt: expiresAt.toISOString(),
  }))
  const renewed = rows.length === 0 ? 0 : await addLinks.run(tx, { tenantId, kind, links: rows })
  return { renewed, next: nextPage(links.map(({ signatoryId }) => signatoryId)) }
}
