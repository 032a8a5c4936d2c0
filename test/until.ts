import { setTimeout as wait } from 'node:timers/promises'

/** Asks again and again until there is an answer; a test that waits in vain fails with what it waited for. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  { withinMs = 60_000, everyMs = 10 }: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const end = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`)
    await wait(everyMs)
  }
}
