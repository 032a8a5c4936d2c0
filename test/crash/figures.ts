// What a campaign has done so far, for its report.
import type { Fault } from './faults.ts'
import type { Checked } from './invariants/index.ts'

/** Faults that could not strike. `isMachine` where this machine does not have what they take; otherwise it went wrong. */
export type Skipped = { what: string; why: string; isMachine: boolean }

export class Figures {
  installations = 0
  lives = 0
  kills = 0
  /** How long faults struck, and how long the outcome was looked at. */
  livedMs = 0
  checkedMs = 0
  readonly faults = new Map<string, number>()
  /** Until all servers were ready again after a kill, in milliseconds, and what was done to them. */
  readonly recoveries: { name: string; ms: number }[] = []
  /** How many things each invariant was held against, in its largest world of each installation. */
  readonly checked = new Map<string, number>()
  readonly calls = new Map<string, { answered: number; unknown: number }>()
  /** Faults that were to strike and could not, by what they are. */
  readonly skipped = new Map<string, Skipped>()
  #lastChecked = new Map<string, number>()

  /** `backMs` is missing where the next fault did not wait until everything was back. */
  noteFault({ name }: Fault, { kills, backMs }: { kills: number; backMs: number | undefined }): void {
    this.faults.set(name, (this.faults.get(name) ?? 0) + 1)
    this.kills += kills
    if (kills > 0 && backMs !== undefined) this.recoveries.push({ name, ms: backMs })
  }

  /** One that went wrong is not excused by another that the machine does not allow. */
  skip(skipped: Skipped): void {
    if (this.skipped.get(skipped.what)?.isMachine !== false) this.skipped.set(skipped.what, skipped)
  }

  note(checked: readonly Checked[]): void {
    this.lives++
    for (const { name, checked: count } of checked) {
      const before = count >= (this.#lastChecked.get(name) ?? 0) ? (this.#lastChecked.get(name) ?? 0) : 0
      this.checked.set(name, (this.checked.get(name) ?? 0) + count - before)
      this.#lastChecked.set(name, count)
    }
  }

  /** At the end of an installation. */
  noteCalls(calls: ReadonlyMap<string, { answered: number; unknown: number }>): void {
    this.#lastChecked = new Map()
    for (const [operation, { answered, unknown }] of calls) {
      const all = this.calls.get(operation) ?? { answered: 0, unknown: 0 }
      this.calls.set(operation, { answered: all.answered + answered, unknown: all.unknown + unknown })
    }
  }

  percentile(share: number): number {
    const sorted = this.recoveries.map(({ ms }) => ms).toSorted((a, b) => a - b)
    return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  }

  /** The recoveries that took longest. */
  slowest(count: number): { name: string; ms: number }[] {
    return this.recoveries.toSorted((a, b) => b.ms - a.ms).slice(0, count)
  }

  get answered(): number {
    return this.#sum('answered')
  }

  get unknown(): number {
    return this.#sum('unknown')
  }

  line(): string {
    const [lived, checked] = [this.livedMs, this.checkedMs].map((ms) => Math.round(ms / 1000))
    return (
      `${this.kills} kills, ${this.lives} lives, ${lived} s of faults and ${checked} s of checks, ` +
      `ready again p50 ${this.percentile(0.5)} ms p99 ${this.percentile(0.99)} ms` +
      this.slowest(1).map(({ name, ms }) => `, slowest ${Math.round(ms)} ms (${name})`)
    )
  }

  #sum(what: 'answered' | 'unknown'): number {
    return [...this.calls.values()].reduce((sum, calls) => sum + calls[what], 0)
  }
}
