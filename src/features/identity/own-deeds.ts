// What people do to their own account: they come, go, and choose a password. Administrators read it in the activity.
import { recordActivity } from '#features/activity/index.ts'
import { fullName, readPerson } from '#features/onboarding/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { describeError } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'

export type OwnDeed = {
  /** The key and the call that it came with. */
  caller: Pick<Caller, 'tenantId' | 'keyId' | 'requestId'>
  userId: string
  action:
    | 'user.signedin'
    | 'user.signinfailed'
    | 'user.signedout'
    | 'user.passwordset'
    | 'user.factoradded'
    | 'user.factorremoved'
    | 'user.passkeyadded'
    | 'user.passkeyremoved'
  /** Names and counts, never what somebody could sign in with. */
  details?: Record<string, string>
  now: Date
}

/** Writes down what a person did to their own account. */
export async function recordOwnDeed(tx: Tx, { caller, userId, action, details = {}, now }: OwnDeed): Promise<void> {
  const { tenantId } = caller
  const person = await readPerson(tx, { tenantId, userId })
  if (person === undefined) return
  const target = { id: userId, name: fullName(person) }
  const { departmentId } = person
  await recordActivity(tx, { caller: { ...caller, userId }, action, target, departmentId, details, now })
}

/**
 * Writes down that somebody got a password wrong, after the answer has gone: the time that this takes would tell that
 * the login exists.
 */
export function recordFailureLater({ db, log }: Platform, failure: Omit<OwnDeed, 'action'>): void {
  db.transaction(failure.caller.tenantId, (tx) => recordOwnDeed(tx, { ...failure, action: 'user.signinfailed' })).catch(
    (error: unknown) => log.warn({ error: describeError(error) }, 'a failed sign-in could not be written down'),
  )
}
