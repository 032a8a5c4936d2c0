import type { Tx } from '#platform/db/database.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { findInvitedPerson } from './credential-statements.ts'
import { emailKeyOf } from './email-key.ts'
import { madeAt } from './invitation.ts'
import { findForgetful } from './login-statements.ts'
import { sendInvitation } from './send-invitation.ts'

/** Nobody's inbox is filled by somebody else's clicks. */
const WAIT_MS = 5 * 60 * 1000

export type Forgotten = { tenantId: string; login: string; keyring: Keyring; now: Date }

/** Sends whoever has this login a link to choose a password; nobody, where nobody active has it or one was just sent. */
export async function sendReset(tx: Tx, { tenantId, login, keyring, now }: Forgotten): Promise<void> {
  const person = await findForgetful.maybeOne(tx, { tenantId, emailKey: emailKeyOf(login) })
  if (person === undefined) return
  const earlier = await findInvitedPerson.maybeOne(tx, { tenantId, userId: person.userId, now })
  if (earlier !== undefined && now.getTime() - madeAt(earlier).getTime() < WAIT_MS) return
  await sendInvitation(tx, { ...person, tenantId, keyring, now })
}
