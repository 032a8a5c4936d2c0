// Signing in to the console: an e-mail address and a password, without a key and without naming a tenant.
import { emailKeyOf } from '#features/onboarding/index.ts'
import { findRootOrganisation } from '#platform/auth/organisation-statements.ts'
import { requireConsole } from '#platform/auth/console-session.ts'
import { Answer, type Outside } from '#platform/http/route.ts'
import { NIL_UUID } from '#platform/ids.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { factorRefused, signInRefused } from './errors.ts'
import { checkLogin, type CheckedLogin } from './log-in.ts'
import { openSession } from './open-session.ts'
import { recordOwnDeed, type OwnDeed } from './own-deeds.ts'
import type { SignInFields } from './schemas.ts'
import { listLoginPlaces } from './session-statements.ts'

type SignIn = { fields: SignInFields; headers: Record<string, string | undefined>; requestId: string }
type Known = CheckedLogin & { caller: OwnDeed['caller'] }

/**
 * Opens a session where login and password belong together and the second factor is right, where there is one. Asks for
 * its code where that is missing, and for the tenant where there are several.
 * Everything else is refused in the same words and after the same work.
 */
export async function signIn(outside: Outside, { fields, headers, requestId }: SignIn): Promise<Answer> {
  const { platform, now } = outside
  requireConsole(platform.config, { method: 'POST', headers })
  const known = await findKnown(outside, { fields, requestId })
  const [only, ...others] = known
  if (only === undefined) throw signInRefused()
  if (others.length > 0) return offerTenants(outside, known)
  const { caller, user, factor } = only
  if (factor === 'wrong') throw factorRefused()
  if (factor === 'missing') return new Answer(200, { state: 'CodeNeeded', tenants: null })
  const { tenantId } = caller
  const cookie = await platform.db.transaction(tenantId, async (tx) => {
    await recordOwnDeed(tx, { caller, userId: user.userId, action: 'user.signedin', now })
    return openSession(tx, { tenantId, userId: user.userId, agent: headers['user-agent'], createdAt: now })
  })
  return new Answer(200, { state: 'SignedIn', tenants: null }, cookie)
}

/** Whoever has this login with this password. A login that nobody has is counted and compared like any other. */
async function findKnown(outside: Outside, { fields, requestId }: Omit<SignIn, 'headers'>): Promise<Known[]> {
  const { login, password, tenantId, code } = fields
  const emailHash = secretHash(emailKeyOf(login))
  const places = await outside.platform.db.systemTransaction((tx) => listLoginPlaces.many(tx, { emailHash }))
  const wanted = places.map((place) => place.tenantId).filter((id) => tenantId === undefined || id === tenantId)
  const tenantIds = wanted.length > 0 ? wanted : [NIL_UUID]
  const checked = await Promise.all(
    tenantIds.map(async (id) => {
      const caller = { tenantId: id, keyId: undefined, requestId }
      const checked = await checkLogin(outside, { caller, fields: { login, password, ...(code && { code }) } })
      return checked === undefined ? [] : [{ caller, ...checked }]
    }),
  )
  return checked.flat()
}

async function offerTenants({ platform }: Outside, known: Known[]): Promise<Answer> {
  const tenants = await Promise.all(
    known.map(async ({ caller: { tenantId } }) => {
      const found = await platform.db.transaction(tenantId, (tx) => findRootOrganisation.one(tx, { tenantId }))
      return { id: tenantId, name: found.organisation }
    }),
  )
  return new Answer(200, { state: 'ChooseTenant', tenants })
}
