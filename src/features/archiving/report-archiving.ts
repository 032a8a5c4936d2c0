import type { Static } from 'typebox'
import { setArchivingStatus } from '#features/signing/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidArgument } from '#platform/errors.ts'
import type { ArchivingUpdate } from './schemas.ts'

export type ReportArchiving = {
  caller: Caller
  requestId: string
  update: Static<typeof ArchivingUpdate>
  now: Date
}

/** Takes the word of whoever archives for how it went. */
export async function reportArchiving(
  tx: Tx,
  { caller, requestId, update: { status, error }, now }: ReportArchiving,
): Promise<void> {
  if (error !== undefined && status !== 'ArchivingFailed') {
    throw invalidArgument('error', 'is allowed only with the status ArchivingFailed')
  }
  const details = error && { code: error.code ?? null, name: error.name ?? null, detail: error.detail ?? null }
  await setArchivingStatus(tx, { caller, requestId, status, error: details, now })
}
