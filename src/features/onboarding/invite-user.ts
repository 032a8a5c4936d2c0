import { recordActivity } from '#features/activity/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { userIsDeactivated } from './errors.ts'
import { fullName } from './full-name.ts'
import { getPerson } from './get-person.ts'
import { writeInvitation, type Invitation } from './invitation.ts'
import { sendInvitation } from './send-invitation.ts'

export type InviteUser = { caller: Caller; userId: string; isDelivered: boolean; keyring: Keyring; now: Date }

/** A fresh invitation for an administrator to hand over, or to be sent as well; the one before stops working. */
export async function inviteUser(
  tx: Tx,
  { caller, userId, isDelivered, keyring, now }: InviteUser,
): Promise<Invitation> {
  const { tenantId } = caller
  const person = await getPerson(tx, { caller, userId })
  if (!person.isActive) throw userIsDeactivated()
  const { hasPassword, departmentId, language } = person
  const invitation = isDelivered
    ? await sendInvitation(tx, { tenantId, userId, departmentId, language, hasPassword, keyring, now })
    : await writeInvitation(tx, { tenantId, userId, hasPassword, keyring, now })
  const target = { id: userId, name: fullName(person) }
  await recordActivity(tx, { caller, action: 'user.invited', target, departmentId, now })
  return invitation
}
