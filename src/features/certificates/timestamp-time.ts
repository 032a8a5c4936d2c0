// Whether a timestamp that was just made tells our time. The product's clock is the database's. Where it and the authority's
// are apart, one of them is wrong and nobody here knows which: then nothing is stamped, rather than with a wrong time.
// Timestamps of old files are none of this: they are judged by their certificates.
import { timeAfter } from '#platform/clock.ts'
import type { Platform } from '#platform/platform.ts'
import { TROUBLE } from '#platform/troubles/trouble-names.ts'
import { watchTrouble } from '#platform/troubles/troubles.ts'

const MOST_APART_MS = 5_000
/** ETSI EN 319 421 7.7.1: an authority is right to a second. From there on somebody has to know. */
const NOTEWORTHY_APART_MS = 1_000

/** The authority's clock and ours are too far apart. */
export class ClocksApart extends Error {
  readonly aheadMs: number

  constructor(aheadMs: number) {
    const seconds = (Math.abs(aheadMs) / 1000).toFixed(1)
    super(`the clock of the timestamp authority is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} ours`)
    this.name = 'ClocksApart'
    this.aheadMs = aheadMs
  }
}

type Asking = { askedAt: Date; answeredAt: Date }

/**
 * Throws where the time of a new timestamp is far from ours; where it is only noteworthy, readiness hears of it. Returns
 * once it lies in our past as well: to whoever judges the file next, a timestamp from the future proves nothing.
 */
export async function requireOurTime(platform: Platform, stampedAt: Date, asking: Asking): Promise<void> {
  const aheadMs = findAheadMs(stampedAt, asking)
  const apart = new ClocksApart(aheadMs)
  const apartMs = Math.abs(aheadMs)
  await watchTrouble(platform, TROUBLE.timestampClock, async () => {
    if (apartMs >= NOTEWORTHY_APART_MS) throw apart
  }).catch(() => {})
  if (apartMs > MOST_APART_MS) throw apart
  await timeAfter(platform.clock, stampedAt, MOST_APART_MS)
}

const SECOND_MS = 1000

/** By how much at least the other clock is ahead: it was read at some moment between our question and its answer. */
export function findAheadMs(stampedAt: Date, { askedAt, answeredAt }: Asking): number {
  const earliest = stampedAt.getTime()
  // RFC 3161 2.4.2: fractions may be left out. What tells whole seconds was made within that second.
  const latest = earliest % SECOND_MS === 0 ? earliest + SECOND_MS - 1 : earliest
  if (earliest > answeredAt.getTime()) return earliest - answeredAt.getTime()
  return Math.min(0, latest - askedAt.getTime())
}
