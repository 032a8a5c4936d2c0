/** Wakes the one who waits. A ring while nobody waits is remembered. */
export type Bell = {
  ring(): void
  /** Until it rings, the time is over, or the signal says that there is nothing to wait for any more. */
  wait(ms: number): Promise<void>
}

export function makeBell(signal: AbortSignal): Bell {
  let hasRung = false
  let wake: (() => void) | undefined
  const ring = () => {
    hasRung = true
    wake?.()
  }
  signal.addEventListener('abort', ring)
  return {
    ring,
    async wait(ms) {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        wake = resolve
        timer = setTimeout(resolve, ms)
        if (hasRung || signal.aborted) resolve()
      })
      clearTimeout(timer)
      wake = undefined
      hasRung = false
    },
  }
}
