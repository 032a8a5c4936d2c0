// Ten wrong passwords for one login within a quarter of an hour, and the next has to wait; whether there is such a user
// makes no difference. Each attempt counts as a failure until it turns out to be right.
import { emailKeyOf } from '#features/onboarding/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { secretHash } from '#platform/secrets/keyring.ts'
import { tooManyFailures } from './errors.ts'
import { clearAttempts, countAttempt } from './identity-statements.ts'

const MOST_FAILURES = 10
const WINDOW_MS = 15 * 60 * 1000

export type Login = { tenantId: string; login: string }

/** Counts an attempt, or refuses it unseen where too many have failed. */
export async function beginAttempt(tx: Tx, { tenantId, login, now }: Login & { now: Date }): Promise<void> {
  const { failures, windowEndsAt } = await countAttempt.one(tx, {
    tenantId,
    loginHash: hashOf(login),
    limit: MOST_FAILURES,
    windowEndsAt: new Date(now.getTime() + WINDOW_MS),
    now,
  })
  if (failures > MOST_FAILURES) {
    throw tooManyFailures(Math.max(1, Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1000)))
  }
}

/** A right password, or a new one, makes up for the failures before it. */
export async function forgetFailures(tx: Tx, { tenantId, login }: Login): Promise<void> {
  await clearAttempts.run(tx, { tenantId, loginHash: hashOf(login) })
}

function hashOf(login: string): Buffer {
  return secretHash(emailKeyOf(login))
}

const lastInLine = new Map<string, Promise<unknown>>()

/**
 * Runs attempts with one login one after the other, so that many right passwords at once are not taken for a flood of
 * wrong ones. Other processes have lines of their own; the count holds across all of them.
 */
export async function inLine<T>({ tenantId, login }: Login, attempt: () => Promise<T>): Promise<T> {
  const line = `${tenantId} ${emailKeyOf(login)}`
  const before = lastInLine.get(line) ?? Promise.resolve()
  const mine = before.then(attempt, attempt)
  lastInLine.set(line, mine)
  try {
    return await mine
  } finally {
    if (lastInLine.get(line) === mine) lastInLine.delete(line)
  }
}
