import { sendMessage } from '#features/messages/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { writeInvitation } from './invite-user.ts'

export type NewInvitation = {
  tenantId: string
  userId: string
  departmentId: string
  language: string | null
  keyring: Keyring
  now: Date
}

/** Invites somebody without a password to set one, by e-mail. */
export async function sendInvitation(
  tx: Tx,
  { tenantId, userId, departmentId, language, keyring, now }: NewInvitation,
): Promise<void> {
  await writeInvitation(tx, { tenantId, userId, hasPassword: false, keyring, now })
  const message = { tenantId, departmentId, userId, language: language ?? 'en', now }
  await sendMessage(tx, { ...message, kind: 'userinvitation', channel: 'email' })
}
