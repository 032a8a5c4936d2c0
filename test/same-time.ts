// Whether two things take the same time. They are done in turns, so that what else the machine does meets both; half of the
// times are above the median, so that pauses do not count.
import { setTimeout as wait } from 'node:timers/promises'

/** What one of them leaves to be done after its answer is not to be counted for the next. */
const SETTLED_AFTER_MS = 20

export type Pair = { first: () => Promise<unknown>; second: () => Promise<unknown> }

/** How many times longer the slower of the two takes, by the median of so many of each. */
export async function compareTimes({ first, second }: Pair, rounds: number): Promise<number> {
  const times: [number[], number[]] = [[], []]
  const take = async (which: 0 | 1) => {
    await wait(SETTLED_AFTER_MS)
    const startedAt = performance.now()
    await (which === 0 ? first() : second())
    times[which].push(performance.now() - startedAt)
  }
  for (let round = 0; round < rounds; round++) {
    const begins = Math.random() < 0.5 ? 0 : 1
    await take(begins)
    await take(begins === 0 ? 1 : 0)
  }
  const [one, other] = times.map(median) as [number, number]
  return Math.max(one / other, other / one)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
