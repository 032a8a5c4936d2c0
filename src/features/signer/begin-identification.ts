import { findProvider } from '#features/signing/index.ts'
import type { Guest } from '#platform/http/route.ts'
import { newId } from '#platform/ids.ts'
import { askIdentity } from '#platform/outbound/identity-provider.ts'
import type { Platform } from '#platform/platform.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { identityProviderAway, noIdentificationWanted, tooManyIdentifications } from './errors.ts'
import {
  IDENTIFICATION_LIFE_MS,
  identificationSecrets,
  MOST_IDENTIFICATIONS_AN_HOUR,
  returnAddress,
} from './identification.ts'
import { countIdentifications, insertIdentification } from './identification-statements.ts'
import { pageState } from './page-state.ts'
import type { Purpose } from './signer-statements.ts'
import { getSitting, requireMet, type Sitting } from './sitting.ts'

const HOUR_MS = 60 * 60 * 1000

export type BeginIdentification = { guest: Guest; purpose: Purpose; now: Date }

/** Where the identity provider awaits the signatory. Asked outside of any transaction, because others may be slow. */
export async function beginIdentification(
  platform: Platform,
  { guest, purpose, now }: BeginIdentification,
): Promise<{ redirectTo: string }> {
  const { db, keyring, config } = platform
  const { tenantId, signatoryId, sessionId } = guest
  const sitting = await db.transaction(tenantId, (tx) => getSitting(tx, guest, now))
  if (purpose === 'signing') requireMet(sitting, 'reading')
  const areaCode = requireAreaCode(sitting, purpose, now)
  const provider = findProvider(config, areaCode)
  if (provider === undefined) throw identityProviderAway(`no identity provider for the area ${areaCode}`)

  const id = newId()
  const secrets = identificationSecrets(keyring, id)
  const language = sitting.person.languageCode ?? sitting.flow.languageCode ?? 'en'
  const redirectTo = await askIdentity(provider, { ...secrets, returnTo: returnAddress(config), language }).catch(
    (error: unknown) => {
      throw identityProviderAway(error)
    },
  )
  await db.transaction(tenantId, async (tx) => {
    const since = new Date(now.getTime() - HOUR_MS)
    const { amount } = await countIdentifications.one(tx, { tenantId, signatoryId, since })
    if (amount >= MOST_IDENTIFICATIONS_AN_HOUR) throw tooManyIdentifications()
    const expiresAt = new Date(now.getTime() + IDENTIFICATION_LIFE_MS)
    const stateHash = secretHash(secrets.state)
    const own = { tenantId, id, signatoryId, sessionId }
    await insertIdentification.run(tx, { ...own, purpose, areaCode, stateHash, expiresAt, now })
  })
  return { redirectTo }
}

/** Somebody of whom no identification is asked, or who could do nothing with it, is not sent anywhere. */
function requireAreaCode({ flow, person, isMet }: Sitting, purpose: Purpose, now: Date): string {
  const state = pageState({ flow, person, isReadingMet: isMet.reading, now })
  const strength = purpose === 'reading' ? flow.readingStrength : flow.signingStrength
  const isUseful = purpose === 'reading' ? state === 'authenticate' || state === 'signed' : state === 'ready'
  if (!isUseful || strength !== 'Strong' || person.authenticationAreaCode === null) throw noIdentificationWanted()
  return person.authenticationAreaCode
}
