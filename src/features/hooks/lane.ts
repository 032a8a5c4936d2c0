// How a lane behaves towards its receiver: how many tries at once, when to stop knocking, when to give up.
//
//   open ──five failures in a row, or 70 % of ten and more──▶ closed for a while ──▶ one try ──success──▶ open, one at
//   a time, then two, four …
//                                        ▲                     │
//                                        └──────failure────────┘ twice as long each time
//
// While a lane is closed nothing is tried, so nothing uses up its tries.

export const MOST_AT_ONCE = 10
const FAILURES_TO_CLOSE = 5
const FIRST_PAUSE_S = 30
const LONGEST_PAUSE_S = 30 * 60
const GIVE_UP_AFTER_MS = 5 * 24 * 60 * 60 * 1000

export type Lane = {
  /** How many deliveries may be under way at once. */
  allowed: number
  /** In a row. */
  failures: number
  /** How often the lane was closed since it last ran well. */
  trips: number
  closedUntil: Date | null
  /** Nothing but failures since. */
  failingSince: Date | null
}

export type TryResult = {
  at: Date
  isSuccess: boolean
  /** The receiver says that it is gone for good. */
  isGone: boolean
  /** What the receiver asked for with 429 or 503, in seconds. */
  pauseS: number | undefined
  /** Most of the receiver's last tries failed. */
  isMostlyFailing: boolean
  /** A test that fails says nothing about the receiver's deliveries. */
  isTest: boolean
}

export const FRESH_LANE: Lane = { allowed: 1, failures: 0, trips: 0, closedUntil: null, failingSince: null }

export type LaneChange = { lane: Lane; giveUp: 'gone' | 'failing' | undefined }

/** The lane after some tries, in the order in which they ended, and whether its subscription is to be disabled. */
export function afterTries(lane: Lane, results: readonly TryResult[]): LaneChange {
  let changed: LaneChange = { lane, giveUp: undefined }
  for (const result of results) {
    const giveUp: LaneChange['giveUp'] = changed.giveUp
    const next = afterTry(changed.lane, result)
    changed = { lane: next.lane, giveUp: giveUp ?? next.giveUp }
  }
  return changed
}

function afterTry(lane: Lane, result: TryResult): LaneChange {
  if (result.isSuccess) return { lane: afterSuccess(lane), giveUp: undefined }
  if (result.isTest) return { lane, giveUp: undefined }
  if (result.isGone) return { lane: afterFailure(lane, result), giveUp: 'gone' }
  const failed = afterFailure(lane, result)
  const failingForMs = result.at.getTime() - failed.failingSince!.getTime()
  return { lane: failed, giveUp: failingForMs >= GIVE_UP_AFTER_MS ? 'failing' : undefined }
}

function afterSuccess(lane: Lane): Lane {
  const allowed = Math.min(lane.allowed * 2, MOST_AT_ONCE)
  const trips = allowed === MOST_AT_ONCE ? 0 : lane.trips
  return { allowed, failures: 0, trips, closedUntil: null, failingSince: null }
}

function afterFailure(lane: Lane, { at, pauseS, isMostlyFailing }: TryResult): Lane {
  const failures = lane.failures + 1
  const failed = { ...lane, failures, failingSince: lane.failingSince ?? at }
  // Tries that were under way when the lane was closed must not close it for longer.
  const isClosed = lane.closedUntil !== null && lane.closedUntil > at
  if (isClosed) return failed
  const isProbe = lane.closedUntil !== null
  if (isProbe || isMostlyFailing || failures % FAILURES_TO_CLOSE === 0) return close(failed, at, pauseS)
  if (pauseS !== undefined) return { ...failed, allowed: 1, closedUntil: after(at, pauseS) }
  return failed
}

function close(lane: Lane, at: Date, pauseS = 0): Lane {
  const ownPauseS = Math.min(FIRST_PAUSE_S * 2 ** Math.min(lane.trips, 10), LONGEST_PAUSE_S)
  return { ...lane, allowed: 1, trips: lane.trips + 1, closedUntil: after(at, Math.max(ownPauseS, pauseS)) }
}

function after(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000)
}
