// What a campaign prints at its end.
import type { Result } from './campaign.ts'
import { INVARIANTS } from './invariants/index.ts'
import { NOT_EXERCISED, STEPS } from './workload/steps.ts'

const MOST_PROBLEMS = 30
const SLOWEST = 5
/** What is promised, by ninety-nine of a hundred; of fewer it says nothing. */
const READY_WITHIN_MS = 3_000
const ENOUGH_RECOVERIES = 100

/** Answers with whether everything held: nothing was broken, and the service was ready again in time. */
export function printReport({ figures, problems }: Result, { again }: { again: string }): boolean {
  console.log(`\nfaults`)
  for (const [name, times] of figures.faults) console.log(`  ${String(times).padStart(6)}  ${name}`)
  for (const what of figures.skipped) console.log(`  SKIPPED ${what}`)
  console.log(`\ninvariants, and how many things each was held against`)
  for (const { name } of INVARIANTS)
    console.log(`  ${String(figures.checked.get(name) || 'NEVER').padStart(8)}  ${name}`)
  const never = STEPS.flatMap(({ changes }) => changes).filter((name) => !figures.calls.get(name)?.answered)
  for (const name of new Set(never)) console.log(`  NEVER ANSWERED ${name}`)
  for (const [name, why] of Object.entries(NOT_EXERCISED)) console.log(`  NOT EXERCISED ${name}: ${why}`)
  console.log(
    `\n${figures.kills} kills in ${figures.lives} lives of ${figures.installations} installations, ` +
      `${figures.answered} calls answered, ${figures.unknown} not; ` +
      `ready again p50 ${figures.percentile(0.5)} ms, p99 ${figures.percentile(0.99)} ms (n = ${figures.recoveries.length})`,
  )
  const slowest = figures.slowest(SLOWEST).map(({ name, ms }) => `${Math.round(ms)} ms (${name})`)
  console.log(`the slowest: ${slowest.join(', ')}`)
  const isSlow = figures.recoveries.length >= ENOUGH_RECOVERIES && figures.percentile(0.99) > READY_WITHIN_MS
  if (isSlow) console.log(`TOO SLOW: ready again within ${READY_WITHIN_MS} ms at p99 is what is promised`)
  if (problems.length === 0) {
    console.log('Nothing lost, nothing doubled.')
    return !isSlow
  }
  for (const problem of problems.slice(0, MOST_PROBLEMS)) console.log(`BROKEN ${problem}`)
  if (problems.length > MOST_PROBLEMS) console.log(`… and ${problems.length - MOST_PROBLEMS} more`)
  console.log(`Run it again: ${again}`)
  return false
}
