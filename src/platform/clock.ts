import { setTimeout as sleep } from 'node:timers/promises'

/** Where the current time comes from. Read once at the edge; everything below receives `now` as an argument. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Clocks of two processes differ by less; one that is wrong by more is not waited for. */
const LONGEST_WAIT_MS = 2_000

/**
 * The time, once it is not before what another process has written down. Each knows the database's time only as well as
 * the database answered, and what follows upon something must not bear an earlier time.
 */
export async function timeAfter(clock: Clock, moment: Date, longestWaitMs = LONGEST_WAIT_MS): Promise<Date> {
  for (let waitedMs = 0; ;) {
    const now = clock.now()
    const earlyMs = moment.getTime() - now.getTime()
    if (earlyMs <= 0 || waitedMs >= longestWaitMs) return now
    const pauseMs = Math.min(earlyMs, longestWaitMs - waitedMs)
    await sleep(pauseMs)
    waitedMs += pauseMs
  }
}
