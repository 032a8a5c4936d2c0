// What a campaign says at its end, and whether it has proven what it is for.
import type { Result } from './campaign.ts'
import type { Figures } from './figures.ts'
import { INVARIANTS } from './invariants/index.ts'
import { NOT_EXERCISED, STEPS } from './workload/steps.ts'

const MOST_PROBLEMS = 30
const SLOWEST = 5
/** What is promised, by ninety-nine of a hundred; of fewer it says nothing. */
const READY_WITHIN_MS = 3_000
const ENOUGH_RECOVERIES = 100
/** After so many, nothing may be left that was never looked at: a short run has no time for all that is rare. */
export const ENOUGH_KILLS = 1_000

export type ReportOptions = {
  /** The command that repeats it. */
  again: string
  /** What whoever started it did not want. */
  leftOut: readonly string[]
}

export type Report = {
  lines: string[]
  /** Nothing was broken, the service was ready again in time, and everything was looked at that has to be. */
  hasHeld: boolean
}

export function writeReport({ figures, problems }: Result, { again, leftOut }: ReportOptions): Report {
  const unproven = [...slowOnes(figures), ...skippedOnes(figures), ...neverSeen(figures)]
  const lines = [
    '',
    'faults',
    ...[...figures.faults].map(([name, times]) => `  ${String(times).padStart(6)}  ${name}`),
    ...leftOut.map((what) => `  LEFT OUT ${what}, as it was asked for`),
    ...[...figures.skipped.values()].map(({ what, why }) => `  SKIPPED ${what}: ${why}`),
    '',
    'invariants, and how many things each was held against',
    ...INVARIANTS.map(({ name }) => `  ${String(figures.checked.get(name) || 'NEVER').padStart(8)}  ${name}`),
    ...neverAnswered(figures).map((name) => `  NEVER ANSWERED ${name}`),
    ...Object.entries(NOT_EXERCISED).map(([name, why]) => `  NOT EXERCISED ${name}: ${why}`),
    '',
    ...summary(figures),
    ...unproven,
    ...(problems.length === 0 ? ['Nothing lost, nothing doubled.'] : broken(problems, again)),
  ]
  return { lines, hasHeld: problems.length === 0 && unproven.length === 0 }
}

function summary(figures: Figures): string[] {
  const slowest = figures.slowest(SLOWEST).map(({ name, ms }) => `${Math.round(ms)} ms (${name})`)
  const cannot = [...figures.skipped.values()].filter(({ isMachine }) => isMachine)
  return [
    `${figures.kills} kills in ${figures.lives} lives of ${figures.installations} installations, ` +
      `${figures.answered} calls answered, ${figures.unknown} not; ` +
      `ready again p50 ${figures.percentile(0.5)} ms, p99 ${figures.percentile(0.99)} ms (n = ${figures.recoveries.length})`,
    `the slowest: ${slowest.join(', ')}`,
    ...cannot.map(({ what, why }) => `This machine can't do ${what} (${why}): nothing here speaks of them.`),
  ]
}

function slowOnes(figures: Figures): string[] {
  const isSlow = figures.recoveries.length >= ENOUGH_RECOVERIES && figures.percentile(0.99) > READY_WITHIN_MS
  return isSlow ? [`TOO SLOW: ready again within ${READY_WITHIN_MS} ms at p99 is what is promised`] : []
}

/** Faults that were meant to strike, on a machine that has what they take. */
function skippedOnes(figures: Figures): string[] {
  return [...figures.skipped.values()]
    .filter(({ isMachine }) => !isMachine)
    .map(({ what }) => `NOT PROVEN: ${what} were skipped, and nobody had asked for that; --no-disk leaves them out`)
}

function neverSeen(figures: Figures): string[] {
  if (figures.kills < ENOUGH_KILLS) return []
  const unseen = INVARIANTS.filter(({ name }) => !figures.checked.get(name))
  return [
    ...unseen.map(({ name }) => `NOT PROVEN: ${name} was never looked at, in ${figures.kills} kills`),
    ...neverAnswered(figures).map((name) => `NOT PROVEN: ${name} was never answered, in ${figures.kills} kills`),
  ]
}

function neverAnswered(figures: Figures): string[] {
  const operations = new Set(STEPS.flatMap(({ changes }) => changes))
  return [...operations].filter((name) => !figures.calls.get(name)?.answered)
}

function broken(problems: readonly string[], again: string): string[] {
  const more = problems.length - MOST_PROBLEMS
  return [
    ...problems.slice(0, MOST_PROBLEMS).map((problem) => `BROKEN ${problem}`),
    ...(more > 0 ? [`… and ${more} more`] : []),
    `Run it again: ${again}`,
  ]
}
