// Work that nobody waits for lets pass what somebody does wait for.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Where it is never quiet, one goes on each time, so that people who never stop working do not stop everything else. */
const ONE_EVERY_MS = 100

export type Quiet = {
  /** To be called whenever it may have become quiet. */
  look(): void
  /** Lets whatever else is ready go first, then waits for quiet. Answers whether it goes on without. */
  wait(): Promise<boolean>
}

/** Lets callers wait until it is quiet, in the order in which they come. */
export function makeQuiet(isQuiet: () => boolean, oneEveryMs = ONE_EVERY_MS): Quiet {
  const line: ((goesOnWithout: boolean) => void)[] = []
  let timer: NodeJS.Timeout | undefined

  function letOneGo(): void {
    line.shift()?.(true)
    timer = line.length > 0 ? setTimeout(letOneGo, oneEveryMs) : undefined
  }

  return {
    look: () => {
      if (!isQuiet()) return
      clearTimeout(timer)
      timer = undefined
      for (const goOn of line.splice(0)) goOn(false)
    },
    wait: async () => {
      await nextTurn()
      if (isQuiet()) return false
      timer ??= setTimeout(letOneGo, oneEveryMs)
      return new Promise((resolve) => line.push(resolve))
    },
  }
}
