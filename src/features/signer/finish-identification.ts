// The person comes back from the identity provider. Whatever has happened there, a page of ours follows and tells it.
import { findProvider, recordAuthentication } from '#features/signing/index.ts'
import { Answer, type Guest } from '#platform/http/route.ts'
import { describeError } from '#platform/log/log.ts'
import { AuthenticationAborted, readIdentity, type Identity } from '#platform/outbound/identity-provider.ts'
import type { Platform } from '#platform/platform.ts'
import { isSameSecret, secretHash } from '#platform/secrets/keyring.ts'
import { identificationSecrets, returnAddress } from './identification.ts'
import { useIdentification } from './identification-statements.ts'
import { findGuest } from './session.ts'
import { meetPurpose, type Purpose } from './signer-statements.ts'
import { getSitting } from './sitting.ts'

export type ProviderAnswer = {
  code?: string
  state?: string
  iss?: string
  error?: string
  error_description?: string
}

export type FinishIdentification = {
  headers: Record<string, string | undefined>
  answer: ProviderAnswer
  now: Date
}

type Begun = { id: string; purpose: Purpose; areaCode: string; createdAt: Date }
type Refused = 'aborted' | 'failed' | 'wrongperson'

/** Believes the provider's answer once, in the session that asked for it, and leads back to the signing page. */
export async function finishIdentification(
  platform: Platform,
  { headers, answer, now }: FinishIdentification,
): Promise<Answer> {
  // Without a session nothing can be proved to anybody; the page then says how to get one.
  const guest = await findGuest(platform, headers, now)
  if (guest === undefined || answer.state === undefined) return leadBack()
  const { tenantId, sessionId } = guest
  const stateHash = secretHash(answer.state)
  // Used up before it is believed: of two answers at once only one is looked at.
  const begun = await platform.db.transaction(tenantId, (tx) =>
    useIdentification.maybeOne(tx, { tenantId, sessionId, stateHash, now }),
  )
  if (begun === undefined) return leadBack()
  const found = await identify(platform, begun, answer)
  const outcome = typeof found === 'string' ? found : await settle(platform, { guest, begun, identity: found })
  if (outcome !== 'done') await recordRefusal(platform, { guest, begun, reason: outcome })
  return leadBack({ strong: outcome, purpose: begun.purpose })
}

async function identify(
  { config, keyring, log }: Platform,
  { id, areaCode, createdAt }: Begun,
  answer: ProviderAnswer,
): Promise<Identity | Refused> {
  const provider = findProvider(config, areaCode)
  if (provider === undefined) return 'failed'
  const address = new URL(returnAddress(config))
  for (const [name, value] of Object.entries(answer)) address.searchParams.set(name, value)
  try {
    return await readIdentity(provider, { ...identificationSecrets(keyring, id), address, askedAt: createdAt })
  } catch (error) {
    if (error instanceof AuthenticationAborted) return 'aborted'
    log.warn({ areaCode, error: describeError(error) }, 'an identity provider’s answer could not be believed')
    return 'failed'
  }
}

type Settling = { guest: Guest; begun: Begun; identity: Identity }

/** The session has met the strength, unless the provider speaks of somebody else than the request. */
async function settle(platform: Platform, { guest, begun, identity }: Settling): Promise<'done' | 'wrongperson'> {
  const { tenantId, sessionId, signatoryId } = guest
  const { purpose, areaCode } = begun
  const now = platform.clock.now()
  return platform.db.transaction(tenantId, async (tx) => {
    const { flow, person } = await getSitting(tx, guest, now)
    const { personalIdentifier } = person
    if (personalIdentifier !== null && !isSame(personalIdentifier, identity.identifier)) return 'wrongperson'
    const { issuer, acr, subject } = identity
    const proven = { areaCode, issuer, acr, subject, isIdentifierCompared: personalIdentifier !== null }
    await meetPurpose.run(tx, { tenantId, sessionId, purpose, identity: proven, now })
    const step = { tenantId, flow, signatoryId, now, type: 'signatoryauthenticated' } as const
    await recordAuthentication(tx, { ...step, data: { purpose, method: 'identityprovider', ...proven } })
    return 'done'
  })
}

function isSame(a: string, b: string): boolean {
  return isSameSecret(secretHash(a), secretHash(b))
}

async function recordRefusal(
  { db, clock }: Platform,
  { guest, begun, reason }: { guest: Guest; begun: Begun; reason: Refused },
): Promise<void> {
  const { tenantId, signatoryId } = guest
  const { purpose, areaCode } = begun
  const now = clock.now()
  await db.transaction(tenantId, async (tx) => {
    const { flow } = await getSitting(tx, guest, now)
    const step = { tenantId, flow, signatoryId, now, type: 'signatoryauthenticationfailed' } as const
    await recordAuthentication(tx, { ...step, data: { purpose, method: 'identityprovider', areaCode, reason } })
  })
}

function leadBack(told?: { strong: string; purpose: Purpose }): Answer {
  const query = told ? `?${new URLSearchParams(told).toString()}` : ''
  return new Answer(303, undefined, { location: `/sign${query}`, 'cache-control': 'no-store' })
}
