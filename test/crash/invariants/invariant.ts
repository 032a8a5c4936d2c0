// What an invariant is: a sentence that must always hold, and a pure function that looks for what breaks it.
import type { World } from '../world.ts'

export type Finding = {
  /** How many things it was held against. */
  checked: number
  /** What breaks it, each in a sentence. */
  problems: string[]
}

export type Invariant = {
  name: string
  /** The promise, for people. */
  says: string
  /** Holds only once everything had time to finish; before that it is not looked at. */
  onlyAtRest?: true
  check(world: World): Finding
}

/** Looks at one thing after the other; a judge answers with what is wrong, if anything is. */
export function each<T>(things: Iterable<T>, judge: (thing: T) => string | false | undefined): Finding {
  const finding: Finding = { checked: 0, problems: [] }
  for (const thing of things) {
    finding.checked++
    const problem = judge(thing)
    if (problem !== undefined && problem !== false) finding.problems.push(problem)
  }
  return finding
}

/** Looks for what must not be there. The look counts, though it finds nothing; where there is no place to look, none does. */
export function none<T>(found: readonly T[] | undefined, describe: (thing: T) => string): Finding {
  return { checked: found === undefined ? 0 : 1, problems: (found ?? []).map(describe) }
}

export function together(...findings: Finding[]): Finding {
  return {
    checked: findings.reduce((sum, { checked }) => sum + checked, 0),
    problems: findings.flatMap(({ problems }) => problems),
  }
}

/** By tenant and id: ids alone are only unique within a tenant. */
export function byId<T extends { tenant_id: string; id: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [`${row.tenant_id} ${row.id}`, row]))
}

export const keyOf = (tenantId: string, id: string) => `${tenantId} ${id}`
