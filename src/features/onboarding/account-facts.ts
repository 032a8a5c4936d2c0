import type { FactsProvider } from '#features/messages/index.ts'
import { findSender } from '#platform/auth/sender-statements.ts'
import { findInvitedPerson } from './credential-statements.ts'
import { invitationToken } from './invitation.ts'

/** What the message about a new account says, as long as its link can still be used. */
export const accountFacts: FactsProvider = async ({ db, keyring, clock }, { tenantId, departmentId, userId }) => {
  if (userId === null) return undefined
  return db.transaction(tenantId, async (tx) => {
    const person = await findInvitedPerson.maybeOne(tx, { tenantId, userId, now: clock.now() })
    const sender = await findSender.maybeOne(tx, { tenantId, departmentId, userId })
    if (person === undefined || sender === undefined) return undefined
    const { email, name, kind, expiresAt } = person
    const token = invitationToken(keyring, { kind, tenantId, userId, expiresAt })
    // In the fragment, which browsers keep to themselves: neither a proxy's log nor another site gets to see it.
    const path = `/console/password#${token}`
    return { address: email, name, sender: { ...sender, person: null }, expirationAt: expiresAt, path }
  })
}
