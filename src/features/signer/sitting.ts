// A session with the place that it has in a request: what every call of the page starts from.
import {
  findPlaceOf,
  type Authentication,
  type Place,
  type ProvenIdentity,
  type Strength,
} from '#features/signing/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Guest } from '#platform/http/route.ts'
import { notAuthenticated, sessionNeeded } from './errors.ts'
import { findSession, type Purpose } from './signer-statements.ts'

/** So long after the code a signature may be made; then the person is asked again. */
const SIGNING_MET_MS = 15 * 60 * 1000

export type Sitting = Place & {
  returnUrl: string | null
  isMet: Record<Purpose, boolean>
  authentication: Authentication
}

/** The guest's session and place in the request. */
export async function getSitting(tx: Tx, { tenantId, sessionId, signatoryId }: Guest, now: Date): Promise<Sitting> {
  const session = await findSession.maybeOne(tx, { tenantId, sessionId, now })
  const place = await findPlaceOf(tx, { tenantId, signatoryId })
  if (session === undefined || place === undefined) throw sessionNeeded()
  const { readingStrength, signingStrength } = place.flow
  const { readingMetAt, signingMetAt, returnUrl, readingIdentity, signingIdentity } = session
  const isSigningFresh = signingMetAt !== null && now.getTime() - signingMetAt.getTime() <= SIGNING_MET_MS
  return {
    ...place,
    returnUrl,
    isMet: {
      reading: readingStrength === 'None' || readingMetAt !== null,
      signing: signingStrength === 'None' || isSigningFresh,
    },
    authentication: {
      reading: describe(readingStrength, readingMetAt, readingIdentity),
      signing: describe(signingStrength, signingMetAt, signingIdentity),
    },
  }
}

function describe(strength: Strength, metAt: Date | null, identity: ProvenIdentity | null) {
  return { strength, at: metAt?.toISOString() ?? null, ...(identity && { identity }) }
}

/** Passes where the page was made for this very guest: a browser has one session, and two tabs may show two people. */
export function requireShownTo({ signatoryId }: Guest, shownTo: string | undefined): void {
  if (shownTo !== undefined && shownTo !== signatoryId) throw sessionNeeded()
}

/** Passes where the person is known as strongly as the request asks for this purpose. */
export function requireMet({ isMet }: Sitting, purpose: Purpose): void {
  if (!isMet[purpose]) throw notAuthenticated(purpose)
}
