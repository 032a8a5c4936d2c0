/** Whoever waits goes on after so long, so that people who never stop working do not stop everything else. */
const LONGEST_WAIT_MS = 250

/** Lets callers wait until it is quiet. Whoever changes that says so by `look`. */
export function makeQuiet(isQuiet: () => boolean) {
  const waiting = new Set<() => void>()
  return {
    look: () => {
      if (isQuiet()) for (const goOn of waiting) goOn()
    },
    wait: async () => {
      if (isQuiet()) return
      await new Promise<void>((resolve) => {
        const goOn = () => {
          clearTimeout(timer)
          waiting.delete(goOn)
          resolve()
        }
        const timer = setTimeout(goOn, LONGEST_WAIT_MS)
        waiting.add(goOn)
      })
    },
  }
}
