import { randomBytes } from 'node:crypto'
import type { Tx } from '#platform/db/database.ts'
import type { Outside } from '#platform/http/route.ts'
import { CHALLENGE_LIFETIME_MS } from './passkey-options.ts'
import { deleteSurplusChallenges, insertChallenge, takeChallenge } from './passkey-statements.ts'
import type { Whose } from './second-factor.ts'

const CHALLENGE_BYTES = 32

/** Whom a challenge is for; a new passkey also names the session that asks, signing in has none yet. */
export type ChallengeOf = Whose & { sessionId: string | null }

/** Something new to sign, which counts for this person alone, once, and for five minutes. */
export async function writeChallenge(
  tx: Tx,
  { tenantId, userId, sessionId, now }: ChallengeOf & { now: Date },
): Promise<Buffer> {
  const challenge = randomBytes(CHALLENGE_BYTES)
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIFETIME_MS)
  await insertChallenge.run(tx, { tenantId, userId, sessionId, challenge, expiresAt })
  await deleteSurplusChallenges.run(tx, { tenantId, userId })
  return challenge
}

/** Whether this was asked of this person and not answered yet. Used up in any case, before the answer is looked at. */
export async function useChallenge(
  { platform, now }: Outside,
  { tenantId, userId, sessionId, challenge }: ChallengeOf & { challenge: string },
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  return platform.db.transaction(
    tenantId,
    async (tx) => (await takeChallenge.run(tx, { tenantId, userId, sessionId, challenge: bytes, now })) > 0,
  )
}
