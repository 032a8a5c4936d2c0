// All invariants. docs/reliability.md lists the same, and a test holds the two equal.
import type { World } from '../world.ts'
import { EVIDENCE } from './evidence.ts'
import { FILES } from './files.ts'
import type { Finding, Invariant } from './invariant.ts'
import { OUTSIDE } from './outside.ts'
import { DIES_ONLY_WHEN_KILLED, PROCESSES } from './processes.ts'
import { PROMISES } from './promises.ts'
import { SIGNATURES } from './signatures.ts'
import { STATES } from './states.ts'

export const INVARIANTS: readonly Invariant[] = [
  ...PROMISES,
  ...STATES,
  ...FILES,
  ...SIGNATURES,
  ...EVIDENCE,
  ...OUTSIDE,
  ...PROCESSES,
]

export type Checked = { name: string } & Finding

/** Holds every invariant against a world. Those that need rest are left out while there is none. */
export function checkWorld(world: World): Checked[] {
  return INVARIANTS.filter(({ onlyAtRest }) => world.isAtRest || !onlyAtRest).map((invariant) => ({
    name: invariant.name,
    ...invariant.check(world),
  }))
}

/** What can be told where the service did not come back, so that there is no world to look at. */
export function checkDeaths(deaths: World['deaths']): Checked {
  return { name: DIES_ONLY_WHEN_KILLED.name, ...DIES_ONLY_WHEN_KILLED.check({ deaths }) }
}

/** What is broken, each with the name of its invariant. */
export function problemsOf(checked: readonly Checked[]): string[] {
  return checked.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`))
}
