// When a delivery is tried again. The schedule is published: receivers' people plan their repairs by it.

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S

/** Seconds to wait after each failed try; after the last the delivery is parked. 11 tries over three days and more. */
export const RETRY_AFTER_S = [
  5,
  MINUTE_S,
  5 * MINUTE_S,
  30 * MINUTE_S,
  2 * HOUR_S,
  5 * HOUR_S,
  10 * HOUR_S,
  14 * HOUR_S,
  20 * HOUR_S,
  24 * HOUR_S,
] as const

/** The wait grows by up to this part, so that what failed together does not come back together. */
const JITTER = 0.2
/** A receiver that is overloaded or too slow is left alone for this long at least. */
const LEAST_WHEN_OVERLOADED_S = MINUTE_S
/** The longest that a receiver can ask for. */
export const LONGEST_RETRY_AFTER_S = HOUR_S

export type Failure = {
  at: Date
  /** Failed tries since the schedule began, this one among them. */
  failedTries: number
  isOverloaded: boolean
  /** Seconds that the receiver asked for. */
  retryAfterS: number | undefined
}

/** The moment of the next try; undefined where there is none left. `chance` is a number from 0 to 1. */
export function nextTryAt(
  { at, failedTries, isOverloaded, retryAfterS = 0 }: Failure,
  chance: number,
): Date | undefined {
  const base = RETRY_AFTER_S[failedTries - 1]
  if (base === undefined) return undefined
  const spread = base * (1 + JITTER * chance)
  const delayS = Math.max(spread, retryAfterS, isOverloaded ? LEAST_WHEN_OVERLOADED_S : 0)
  return new Date(at.getTime() + Math.round(delayS * 1000))
}

/** Seconds from a Retry-After header (RFC 9110 10.2.3: a number or a date), cut to the longest that we grant. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000
  if (Number.isNaN(seconds) || seconds <= 0) return undefined
  return Math.min(Math.ceil(seconds), LONGEST_RETRY_AFTER_S)
}
