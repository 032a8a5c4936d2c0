// How many of a receiver's last tries failed. A receiver that fails most of the time, with a success now and then, never
// fails five times in a row and yet wastes everybody's time. Kept in memory: only the holder of a lane sends, and whoever
// takes it over may well give the receiver a new chance.
const WINDOW_MS = 5 * 60 * 1000
const FEWEST_TRIES = 10
const TOO_MANY = 0.7
const REMEMBER_AT_MOST = 10_000

type Window = { since: number; tries: number; failures: number }

export class FailureRates {
  readonly #windows = new Map<string, Window>()

  /** Counts a try; true where at least 70 % of at least ten tries within five minutes have failed, and counts anew then. */
  note(subscriptionId: string, { at, isSuccess }: { at: Date; isSuccess: boolean }): boolean {
    const window = this.#windowOf(subscriptionId, at.getTime())
    window.tries++
    if (!isSuccess) window.failures++
    const isTooMuch = window.tries >= FEWEST_TRIES && window.failures >= TOO_MANY * window.tries
    if (isTooMuch) this.#windows.delete(subscriptionId)
    return isTooMuch
  }

  #windowOf(subscriptionId: string, now: number): Window {
    const found = this.#windows.get(subscriptionId)
    if (found !== undefined && now - found.since < WINDOW_MS) return found
    if (this.#windows.size >= REMEMBER_AT_MOST) this.#windows.clear()
    const fresh = { since: now, tries: 0, failures: 0 }
    this.#windows.set(subscriptionId, fresh)
    return fresh
  }
}
