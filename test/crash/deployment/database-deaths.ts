// Which deaths of the database we have caused. What is seen of one comes without its process id, so they are counted: each
// postmaster that was ended from outside explains one death, and one that nobody explains was its own.

/** A postmaster one of whose processes was killed ends by itself, soon. */
const SHAKEN_MS = 30_000

export class DatabaseDeaths {
  readonly #ended = new Set<number>()
  #shakenUntil = 0

  /** This postmaster is about to be ended. */
  willEnd(pid: number): void {
    this.#ended.add(pid)
  }

  /** A process of it is about to be killed, which ends the postmaster as well, unless that process is gone already. */
  willShake(): void {
    this.#shakenUntil = Math.max(this.#shakenUntil, performance.now() + SHAKEN_MS)
  }

  /** Whatever it dies of from now on is our doing, until that ends or there is a fresh start. */
  expectAny(): void {
    this.#shakenUntil = Infinity
  }

  /** What it could die of has ended; a death that comes of it is seen soon, or there is none. */
  expectNoMore(): void {
    this.#shakenUntil = performance.now() + SHAKEN_MS
  }

  startAfresh(): void {
    this.#ended.clear()
    this.#shakenUntil = 0
  }

  /** It died: whether we did that. */
  isOurs(): boolean {
    const [pid] = this.#ended
    if (pid === undefined) return performance.now() < this.#shakenUntil
    return this.#ended.delete(pid)
  }
}
