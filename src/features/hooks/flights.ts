// What this process has taken on, lane by lane. A request is taken from the moment one of its deliveries was read until
// the result is recorded, since never two deliveries of one are under way at once; in between a delivery waits in line, is
// in the air, and has landed. A lane that was looked into is left alone until something about it changes, so that
// receivers that take their time are not asked about again and again.
import { MOST_AT_ONCE } from './lane.ts'

/** In the air, in all lanes together. */
export const MOST_FLIGHTS = 500
/** Beyond half of that, lanes share what is left. */
const CROWDED_AT = MOST_FLIGHTS / 2
const ALLOWED_WHEN_CROWDED = 2
/** A quick lane takes on so many times what may be in the air: the next goes while the last is being recorded. */
const AHEAD = 3
/** Quick is a lane at full width in which something arrived so long ago at most. */
const QUICK_MS = 1_000
/** In all lanes together: what waits in memory has a bound. */
const MOST_TAKEN = 3_000
/** What has waited in line for longer is read anew: meanwhile it may have been paused, replayed or deleted. */
const FRESH_MS = 1_000

export type DueLane = { subscriptionId: string; bucket: number; allowed: number; closedUntil: Date | null }

type InLine<T> = { requestId: string; cargo: T; at: number }

type LaneFlights<T> = {
  bucket: number
  most: number
  taken: Set<string>
  inTheAir: number
  arrivedAt: number
  line: InLine<T>[]
  isQuiet: boolean
}

export class Flights<T> {
  readonly #lanes = new Map<string, LaneFlights<T>>()
  #inTheAir = 0
  #taken = 0
  /** Lanes in which something failed since the last look: what was read of them may be out of date. */
  readonly #failedSinceLook = new Set<string>()

  /** Whether there is no use in looking for more. */
  get isFull(): boolean {
    return this.#taken >= MOST_TAKEN
  }

  /** The lanes are about to be read. */
  beginLook(): void {
    this.#failedSinceLook.clear()
  }

  /** How many more deliveries of this lane may be taken on. A lane that was closed gets one try. */
  roomFor({ subscriptionId, allowed, closedUntil }: DueLane): number {
    // It may have been closed after it was read: the next look knows.
    if (this.isFull || this.#failedSinceLook.has(subscriptionId)) return 0
    const lane = this.#lanes.get(subscriptionId)
    const most = widthOf({ allowed, closedUntil })
    const isQuick = most === MOST_AT_ONCE && lane !== undefined && performance.now() - lane.arrivedAt < QUICK_MS
    const room = (isQuick ? most * AHEAD : this.#shareOf(most)) - (lane?.taken.size ?? 0)
    return Math.max(0, Math.min(MOST_AT_ONCE, room))
  }

  /** Takes a delivery on; `next` says when it may go. */
  take(lane: DueLane, requestId: string, cargo: T): void {
    const found = this.#lane(lane.subscriptionId, lane.bucket)
    found.most = widthOf(lane)
    if (found.taken.has(requestId)) return
    found.taken.add(requestId)
    found.line.push({ requestId, cargo, at: performance.now() })
    this.#taken++
  }

  /** What may go now in this lane. It is in the air until `land`. */
  next(subscriptionId: string): T | undefined {
    const lane = this.#lanes.get(subscriptionId)
    if (lane === undefined) return undefined
    if (lane.inTheAir >= this.#shareOf(lane.most) || this.#inTheAir >= MOST_FLIGHTS) return undefined
    const first = lane.line.shift()
    if (first === undefined) return undefined
    lane.inTheAir++
    this.#inTheAir++
    return first.cargo
  }

  /** An answer has come. After a failure what waits in line goes back: the lane may be closed now. */
  land(subscriptionId: string, { isSuccess }: { isSuccess: boolean }): void {
    const lane = this.#lanes.get(subscriptionId)
    if (lane === undefined) return
    lane.inTheAir--
    this.#inTheAir--
    if (isSuccess) lane.arrivedAt = performance.now()
    else this.#clearLine(subscriptionId, lane)
  }

  /** It is not ours to send any more. */
  drop(subscriptionId: string, requestId: string): void {
    this.land(subscriptionId, { isSuccess: false })
    this.end(subscriptionId, requestId, { isSuccess: false })
  }

  /** The result is recorded. */
  end(subscriptionId: string, requestId: string, { isSuccess }: { isSuccess: boolean }): void {
    if (!isSuccess) this.#failedSinceLook.add(subscriptionId)
    const lane = this.#lanes.get(subscriptionId)
    if (!lane?.taken.delete(requestId)) return
    this.#taken--
    lane.isQuiet = false
    this.#forgetIfEmpty(subscriptionId, lane)
  }

  /** Sends back what waits in line, all of it or what has waited for long. */
  clearLines({ all }: { all: boolean }): void {
    const oldest = performance.now() - FRESH_MS
    for (const [subscriptionId, lane] of this.#lanes) {
      if (lane.line.length > 0 && (all || lane.line[0]!.at < oldest)) this.#clearLine(subscriptionId, lane)
    }
  }

  /** Nothing more to be found in this lane for now. */
  quieten({ subscriptionId, bucket }: { subscriptionId: string; bucket: number }): void {
    this.#lane(subscriptionId, bucket).isQuiet = true
  }

  /** Something may have changed in these lanes, or in any. */
  stir(subscriptionIds?: readonly string[]): void {
    for (const id of subscriptionIds ?? this.#lanes.keys()) {
      const lane = this.#lanes.get(id)
      if (lane === undefined) continue
      lane.isQuiet = false
      this.#forgetIfEmpty(id, lane)
    }
  }

  quietLanes(): string[] {
    return [...this.#lanes].filter(([, lane]) => lane.isQuiet).map(([id]) => id)
  }

  requestsOf(subscriptionIds: readonly string[]): string[] {
    return subscriptionIds.flatMap((id) => [...(this.#lanes.get(id)?.taken ?? [])])
  }

  /** Lanes in which something waits to go. */
  lanesInLine(): string[] {
    return [...this.#lanes].filter(([, lane]) => lane.line.length > 0).map(([id]) => id)
  }

  isBusy(bucket: number): boolean {
    return this.#lanes.values().some((lane) => lane.bucket === bucket && lane.taken.size > 0)
  }

  /** Beyond half of what may be in the air, each lane has two. */
  #shareOf(most: number): number {
    return this.#inTheAir > CROWDED_AT ? Math.min(most, ALLOWED_WHEN_CROWDED) : most
  }

  #clearLine(subscriptionId: string, lane: LaneFlights<T>): void {
    for (const { requestId } of lane.line.splice(0)) {
      lane.taken.delete(requestId)
      this.#taken--
    }
    lane.isQuiet = false
    this.#forgetIfEmpty(subscriptionId, lane)
  }

  #forgetIfEmpty(subscriptionId: string, lane: LaneFlights<T>): void {
    if (lane.taken.size === 0 && lane.inTheAir === 0) this.#lanes.delete(subscriptionId)
  }

  #lane(subscriptionId: string, bucket: number): LaneFlights<T> {
    let lane = this.#lanes.get(subscriptionId)
    if (lane === undefined) {
      lane = { bucket, most: 1, taken: new Set(), inTheAir: 0, arrivedAt: -Infinity, line: [], isQuiet: false }
      this.#lanes.set(subscriptionId, lane)
    }
    return lane
  }
}

/** How many deliveries of a lane may be in the air. */
function widthOf({ allowed, closedUntil }: { allowed: number; closedUntil: Date | null }): number {
  return closedUntil === null ? Math.min(allowed, MOST_AT_ONCE) : 1
}
