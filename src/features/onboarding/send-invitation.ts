import { sendMessage } from '#features/messages/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { writeInvitation, type Invitation } from './invitation.ts'

export type NewInvitation = {
  tenantId: string
  userId: string
  departmentId: string
  language: string | null
  /** Whoever has one gets a reset instead. */
  hasPassword?: boolean
  keyring: Keyring
  now: Date
}

/** Invites somebody by e-mail to set a password. */
export async function sendInvitation(
  tx: Tx,
  { tenantId, userId, departmentId, language, hasPassword = false, keyring, now }: NewInvitation,
): Promise<Invitation> {
  const invitation = await writeInvitation(tx, { tenantId, userId, hasPassword, keyring, now })
  const message = { tenantId, departmentId, userId, language: language ?? 'en', now }
  await sendMessage(tx, { ...message, kind: hasPassword ? 'passwordreset' : 'userinvitation', channel: 'email' })
  return invitation
}
