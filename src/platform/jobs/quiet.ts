// Work that nobody waits for lets pass what somebody does wait for.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Where it is never quiet, one goes on each time, so that people who never stop working do not stop everything else. */
const ONE_EVERY_MS = 50
/** Whoever has just been served is often about to ask for the next thing: who opened a request, for the signature. */
const LINGERS_MS = 100
/** After so long nobody is about to come back. */
const CALM_AFTER_MS = 3_000

export type Quiet = {
  /** To be called whenever it may have become quiet. */
  look(): void
  /** Somebody has just been served. */
  served(): void
  /** Whether nobody has been served for so long that the next one to come is the first of many. */
  isCalm(): boolean
  /** Lets whatever else is ready go first, then waits for quiet. Answers whether it goes on without. */
  wait(): Promise<boolean>
}

export type QuietOptions = { oneEveryMs?: number; lingersMs?: number; calmAfterMs?: number }

/** Lets callers wait, in the order in which they come, until nobody is being served and has not been for a moment. */
export function makeQuiet(
  isServing: () => boolean,
  { oneEveryMs = ONE_EVERY_MS, lingersMs = LINGERS_MS, calmAfterMs = CALM_AFTER_MS }: QuietOptions = {},
): Quiet {
  const line: ((goesOnWithout: boolean) => void)[] = []
  let turn: NodeJS.Timeout | undefined
  let lingering: NodeJS.Timeout | undefined
  let servedAt = -Infinity

  const isQuiet = () => lingering === undefined && !isServing()

  function letOneGo(): void {
    line.shift()?.(true)
    turn = line.length > 0 ? setTimeout(letOneGo, oneEveryMs) : undefined
  }

  function look(): void {
    if (!isQuiet()) return
    clearTimeout(turn)
    turn = undefined
    for (const goOn of line.splice(0)) goOn(false)
  }

  return {
    look,
    isCalm: () => isQuiet() && performance.now() - servedAt >= calmAfterMs,
    served: () => {
      servedAt = performance.now()
      clearTimeout(lingering)
      const end = () => {
        lingering = undefined
        look()
      }
      lingering = setTimeout(end, lingersMs).unref()
    },
    wait: async () => {
      await nextTurn()
      if (isQuiet()) return false
      turn ??= setTimeout(letOneGo, oneEveryMs)
      return new Promise((resolve) => line.push(resolve))
    },
  }
}
