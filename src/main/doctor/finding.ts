// What a check has found, and exactly what to do about it.
import { describeReason } from './describe-reason.ts'

export type Finding = {
  name: string
  state: 'good' | 'look' | 'bad'
  found: string
  /** The next thing to do; null where nothing is wrong. */
  fix: string | null
}

export const good = (name: string, found: string): Finding => ({ name, state: 'good', found, fix: null })
export const look = (name: string, found: string, fix: string): Finding => ({ name, state: 'look', found, fix })
export const bad = (name: string, found: string, fix: string): Finding => ({ name, state: 'bad', found, fix })

/** Runs a check; what it throws is a finding too. */
export async function check(
  name: string,
  fix: string,
  work: () => Promise<Finding | readonly Finding[]>,
): Promise<Finding[]> {
  try {
    return [await work()].flat()
  } catch (error) {
    return [bad(name, describeReason(error), fix)]
  }
}
