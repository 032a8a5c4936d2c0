import type { FactsProvider } from '#features/messages/index.ts'
import { commonFacts, findPlaceOf } from '#features/signing/index.ts'
import { makeCode } from './code.ts'
import { isCodeOfUse, pageState } from './page-state.ts'
import { findCode } from './signer-statements.ts'

/** The digits of the code that the message is about; nothing once it was used or has ended, by itself or with its request. */
export const codeFacts: FactsProvider = async ({ db, keyring, clock }, message) => {
  const now = clock.now()
  const { tenantId, signatoryId, referenceId } = message
  if (signatoryId === null || referenceId === null) return undefined
  return db.transaction(tenantId, async (tx) => {
    const code = await findCode.maybeOne(tx, { tenantId, id: referenceId, signatoryId, now })
    const place = await findPlaceOf(tx, { tenantId, signatoryId })
    const common = place && commonFacts(place, message)
    if (code === undefined || common === undefined) return undefined
    const { sessionId, purpose, salt, expiresAt } = code
    // Whoever asked for a code to sign has been let in to read.
    const state = pageState({ ...place!, isReadingMet: purpose === 'signing', now })
    if (!isCodeOfUse(state, purpose)) return undefined
    const digits = makeCode(keyring, { codeId: referenceId, signatoryId, sessionId, purpose, salt })
    return { ...common, code: { digits, expiresAt } }
  })
}
