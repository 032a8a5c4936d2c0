import { appendEvents } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { subjectOf, type Flow } from './flow.ts'
import { setSignatoryLanguage } from './flow-statements.ts'

export type AuthenticationStep = {
  tenantId: string
  flow: Flow
  signatoryId: string
  type: 'signatoryauthenticated' | 'signatoryauthenticationfailed'
  data: Record<string, unknown>
  now: Date
}

/** Writes into the history how a person was authenticated, or failed to be. */
export async function recordAuthentication(tx: Tx, step: AuthenticationStep): Promise<void> {
  const { tenantId, flow, signatoryId, type, data, now } = step
  const actor = { kind: 'signatory' as const, id: signatoryId }
  const event = { type, actor, signatoryId, data: { creatorId: flow.creatorId, ...data } }
  await appendEvents(tx, subjectOf(tenantId, flow), [event], now)
}

/** The language of this person's pages and messages from now on. */
export async function chooseLanguage(
  tx: Tx,
  { tenantId, signatoryId, languageCode }: { tenantId: string; signatoryId: string; languageCode: string },
): Promise<void> {
  await setSignatoryLanguage.run(tx, { tenantId, signatoryId, languageCode })
}
