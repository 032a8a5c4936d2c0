// An invitation lets one person set a password, once. Its token is computed from the row that remembers it, so a message
// can be written again without the token ever being stored.
import { insertCredential } from '#platform/auth/auth-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import { secretHash, type Keyring } from '#platform/secrets/keyring.ts'
import { deleteInvitations } from './credential-statements.ts'

const LIFETIME_MS = { invitation: 7 * 24 * 60 * 60 * 1000, reset: 60 * 60 * 1000 }

export type Invitation = { token: string; expiresAt: Date }
type Invited = { tenantId: string; userId: string; hasPassword: boolean; keyring: Keyring; now: Date }

/** Writes the one invitation (for whoever has a password: reset) of a user that counts from now on. */
export async function writeInvitation(
  tx: Tx,
  { tenantId, userId, hasPassword, keyring, now }: Invited,
): Promise<Invitation> {
  const kind = hasPassword ? 'reset' : 'invitation'
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[kind])
  const token = invitationToken(keyring, { kind, tenantId, userId, expiresAt })
  await deleteInvitations.run(tx, { tenantId, userIds: [userId] })
  await insertCredential.run(tx, { kind, hash: secretHash(token), tenantId, refId: userId, expiresAt })
  return { token, expiresAt }
}

/** When an invitation was made, from what is remembered of it. */
export function madeAt({ kind, expiresAt }: Pick<TokenOf, 'kind' | 'expiresAt'>): Date {
  return new Date(expiresAt.getTime() - LIFETIME_MS[kind])
}

type TokenOf = { kind: 'invitation' | 'reset'; tenantId: string; userId: string; expiresAt: Date }

/** Made again from what is remembered of it, whenever a message has to be written. */
export function invitationToken(keyring: Keyring, { kind, tenantId, userId, expiresAt }: TokenOf): string {
  return keyring.mac(kind, `${tenantId} ${userId} ${expiresAt.toISOString()}`).toString('base64url')
}
