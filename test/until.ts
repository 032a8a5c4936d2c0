import { setTimeout as wait } from 'node:timers/promises'

/** Only a test that fails waits for so long: what is awaited comes late on a machine that is busy. */
const A_LONG_TIME_MS = 180_000

/** Asks again and again until there is an answer; a test that waits in vain fails with what it waited for. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  { withinMs = A_LONG_TIME_MS, everyMs = 10 }: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const end = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`)
    await wait(everyMs)
  }
}
