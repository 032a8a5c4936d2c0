import type { Platform } from '#platform/platform.ts'
import { nextPage, PAGE_SIZE as most, renewAll } from '#platform/secrets/renew-all.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { addInvitations, listLiveInvitations } from './credential-statements.ts'
import { invitationToken } from './invitation.ts'

/**
 * An invitation's message is written when it is sent, from the secret key; under a new one its link would be another.
 * That one becomes known as well, beside the one that may be in somebody's mail: whichever is used first ends both.
 */
export function renewInvitations({ db, keyring, clock }: Platform, tenantId: string): Promise<number> {
  return renewAll((after) =>
    db.transaction(tenantId, async (tx) => {
      const live = await listLiveInvitations.many(tx, { tenantId, after, most, now: clock.now() })
      const invitations = live.map(({ userId, kind, expiresAt }) => ({
        userId,
        kind,
        hash: secretHash(invitationToken(keyring, { kind, tenantId, userId, expiresAt })).toString('hex'),
        expiresAt: expiresAt.toISOString(),
      }))
      const renewed = live.length === 0 ? 0 : await addInvitations.run(tx, { tenantId, invitations })
      return { renewed, next: nextPage(live.map(({ userId }) => userId)) }
    }),
  )
}
