// Whoever has signed gets a link to the sealed documents when the request closes. The link for signing is dead by then.
import type { Tx } from '#platform/db/database.ts'
import { secretHash, type Keyring } from '#platform/secrets/keyring.ts'
import { insertCopyLinks } from '../link-statements.ts'

/** How long the link in the last message works. Afterwards the sender is asked for a copy. */
export const COPY_LINK_MS = 90 * 24 * 60 * 60 * 1000

type CopyOwner = { tenantId: string; signatoryId: string }

/** Made again when its message is sent; only its hash is stored. */
export function copyToken(keyring: Keyring, { tenantId, signatoryId }: CopyOwner): string {
  return keyring.mac('copy link', `${tenantId}|${signatoryId}`).toString('base64url')
}

/** Makes the copy links of these people known. */
export async function openCopyLinks(
  tx: Tx,
  { tenantId, signatoryIds, keyring, now }: { tenantId: string; signatoryIds: string[]; keyring: Keyring; now: Date },
): Promise<void> {
  const links = signatoryIds.map((signatoryId) => ({
    signatoryId,
    hash: secretHash(copyToken(keyring, { tenantId, signatoryId })).toString('hex'),
  }))
  await insertCopyLinks.run(tx, { tenantId, links, expiresAt: new Date(now.getTime() + COPY_LINK_MS) })
}
