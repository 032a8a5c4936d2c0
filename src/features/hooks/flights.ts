// What is under way, lane by lane: requests, since never two deliveries of one are under way at once. A lane that was looked into is left alone until something about it changes, so that
// receivers that take their time are not asked about again and again.
import { MOST_AT_ONCE } from './lane.ts'

/** In all lanes together. */
export const MOST_FLIGHTS = 500
/** Beyond half of that, receivers that take their time share what is left: two for each. */
const CROWDED_AT = MOST_FLIGHTS / 2
const ALLOWED_WHEN_CROWDED = 2

type LaneFlights = { bucket: number; requests: Set<string>; isQuiet: boolean }

export type DueLane = { subscriptionId: string; bucket: number; allowed: number; closedUntil: Date | null }

export class Flights {
  readonly #lanes = new Map<string, LaneFlights>()
  #count = 0
  /** Lanes in which something failed since the last look: what was read of them may be out of date. */
  readonly #failedSinceLook = new Set<string>()

  get count(): number {
    return this.#count
  }

  /** The lanes are about to be read. */
  beginLook(): void {
    this.#failedSinceLook.clear()
  }

  /** How many more deliveries of this lane may begin. A lane that was closed gets one try. */
  roomFor({ subscriptionId, allowed, closedUntil }: DueLane): number {
    // It may have been closed after it was read: the next look knows.
    if (this.#failedSinceLook.has(subscriptionId)) return 0
    const most = closedUntil === null ? Math.min(allowed, MOST_AT_ONCE) : 1
    const shared = this.#count > CROWDED_AT ? Math.min(most, ALLOWED_WHEN_CROWDED) : most
    return Math.max(0, shared - (this.#lanes.get(subscriptionId)?.requests.size ?? 0))
  }

  begin({ subscriptionId, bucket }: { subscriptionId: string; bucket: number }, requestId: string): void {
    this.#lane(subscriptionId, bucket).requests.add(requestId)
    this.#count++
  }

  end(subscriptionId: string, requestId: string, { isSuccess }: { isSuccess: boolean }): void {
    if (!isSuccess) this.#failedSinceLook.add(subscriptionId)
    const lane = this.#lanes.get(subscriptionId)
    if (!lane?.requests.delete(requestId)) return
    this.#count--
    lane.isQuiet = false
    if (lane.requests.size === 0) this.#lanes.delete(subscriptionId)
  }

  /** Nothing more to be found in this lane for now. Only one with something under way needs to be remembered. */
  quieten({ subscriptionId, bucket }: { subscriptionId: string; bucket: number }): void {
    this.#lane(subscriptionId, bucket).isQuiet = true
  }

  /** Something may have changed in these lanes, or in any. */
  stir(subscriptionIds?: readonly string[]): void {
    for (const id of subscriptionIds ?? this.#lanes.keys()) {
      const lane = this.#lanes.get(id)
      if (lane === undefined) continue
      lane.isQuiet = false
      if (lane.requests.size === 0) this.#lanes.delete(id)
    }
  }

  quietLanes(): string[] {
    return [...this.#lanes].filter(([, lane]) => lane.isQuiet).map(([id]) => id)
  }

  requestsOf(subscriptionIds: readonly string[]): string[] {
    return subscriptionIds.flatMap((id) => [...(this.#lanes.get(id)?.requests ?? [])])
  }

  isBusy(bucket: number): boolean {
    return this.#lanes.values().some((lane) => lane.bucket === bucket && lane.requests.size > 0)
  }

  #lane(subscriptionId: string, bucket: number): LaneFlights {
    let lane = this.#lanes.get(subscriptionId)
    if (lane === undefined) {
      lane = { bucket, requests: new Set(), isQuiet: false }
      this.#lanes.set(subscriptionId, lane)
    }
    return lane
  }
}
