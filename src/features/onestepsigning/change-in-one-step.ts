import { changeDraft, type Opening } from '#features/signing/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Preparation } from './prepare-request.ts'
import type { Payload } from './schemas.ts'

export type ChangeInOneStep = {
  caller: Caller
  requestId: string
  body: Payload
  preparation: Preparation
  platform: Opening
  now: Date
}

/** Puts a whole payload in the place of what stood in a Draft. */
export function changeInOneStep(
  tx: Tx,
  { caller, requestId, body, preparation, platform, now }: ChangeInOneStep,
): ReturnType<typeof changeDraft> {
  const content = { ...preparation.request!, templateId: body.signatureRequestTemplateId ?? null }
  return changeDraft(tx, { caller, requestId, content, platform, now })
}
