// Signing in to the console: an e-mail address and a password, without a key and without naming a tenant.
import { emailKeyOf } from '#features/onboarding/index.ts'
import { findRootOrganisation } from '#platform/auth/organisation-statements.ts'
import { requireConsole } from '#platform/auth/console-session.ts'
import { Answer, type Outside } from '#platform/http/route.ts'
import { NIL_UUID } from '#platform/ids.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { askForPasskey } from './check-passkey.ts'
import { factorRefused, signInRefused } from './errors.ts'
import { countRecoveryCodes } from './factor-statements.ts'
import { checkLogin, type CheckedLogin } from './log-in.ts'
import { openSession } from './open-session.ts'
import { recordOwnDeed, type OwnDeed } from './own-deeds.ts'
import type { FACTORS, SignInFields } from './schemas.ts'
import { hasApp, type Whose } from './second-factor.ts'
import { listLoginPlaces } from './session-statements.ts'

type SignIn = { fields: SignInFields; headers: Record<string, string | undefined>; requestId: string }
type Known = CheckedLogin & { caller: OwnDeed['caller'] }
type Factor = (typeof FACTORS)[number]

const NOTHING_ELSE = { tenants: null, factors: null, passkey: null }

/**
 * Opens a session where login and password belong together and the second factor is right, where there is one. Asks for
 * that where it is missing, and for the tenant where there are several.
 * Everything else is refused in the same words and after the same work.
 */
export async function signIn(outside: Outside, { fields, headers, requestId }: SignIn): Promise<Answer> {
  const { platform, now } = outside
  requireConsole(platform.config, { method: 'POST', headers })
  const known = await findKnown(outside, { fields, headers, requestId })
  const [only, ...others] = known
  if (only === undefined) throw signInRefused()
  if (others.length > 0) return offerTenants(outside, known)
  const { caller, user, factor } = only
  const { tenantId } = caller
  if (factor === 'wrong') throw factorRefused(fields.passkey !== undefined)
  if (factor === 'missing') return askForFactor(outside, { tenantId, userId: user.userId, headers })
  const cookie = await platform.db.transaction(tenantId, async (tx) => {
    await recordOwnDeed(tx, { caller, userId: user.userId, action: 'user.signedin', now })
    return openSession(tx, { tenantId, userId: user.userId, agent: headers['user-agent'], createdAt: now })
  })
  return new Answer(200, { ...NOTHING_ELSE, state: 'SignedIn' }, cookie)
}

/** Names what this person can show beside the password, with something to sign for a passkey. */
async function askForFactor(outside: Outside, { headers, ...whose }: Whose & Pick<SignIn, 'headers'>): Promise<Answer> {
  const passkey = await askForPasskey(outside, { ...whose, headers })
  const factors = await outside.platform.db.transaction(whose.tenantId, async (tx) => {
    const found: Factor[] = passkey === null ? [] : ['Passkey']
    if (await hasApp(tx, whose)) found.push('App')
    if ((await countRecoveryCodes.one(tx, whose)).total > 0) found.push('RecoveryCode')
    return found
  })
  return new Answer(200, { ...NOTHING_ELSE, state: 'CodeNeeded', factors, passkey })
}

/** Whoever has this login with this password. A login that nobody has is counted and compared like any other. */
async function findKnown(outside: Outside, { fields, headers, requestId }: SignIn): Promise<Known[]> {
  const { login, password, tenantId, code, passkey } = fields
  const emailHash = secretHash(emailKeyOf(login))
  const places = await outside.platform.db.systemTransaction((tx) => listLoginPlaces.many(tx, { emailHash }))
  const wanted = places.map((place) => place.tenantId).filter((id) => tenantId === undefined || id === tenantId)
  const tenantIds = wanted.length > 0 ? wanted : [NIL_UUID]
  const checked = await Promise.all(
    tenantIds.map(async (id) => {
      const caller = { tenantId: id, keyId: undefined, requestId }
      const known = { login, password, ...(code && { code }) }
      const checked = await checkLogin(outside, { caller, fields: known, passkey, headers })
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
  return new Answer(200, { ...NOTHING_ELSE, state: 'ChooseTenant', tenants })
}
