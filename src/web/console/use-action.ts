// Something that the person asked for: at most once at a time, with words for what goes wrong.
import { useRef, useState } from 'react'

export type Action = {
  isBusy: boolean
  error: Error | undefined
  setError: (error: Error | undefined) => void
  /** Runs it unless it runs already; tells whether it went well. */
  run: (work: () => Promise<unknown>) => Promise<boolean>
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  // A second press can come before the first has been drawn.
  const isRunning = useRef(false)

  const run = async (work: () => Promise<unknown>) => {
    if (isRunning.current) return false
    isRunning.current = true
    setBusy(true)
    setError(undefined)
    try {
      await work()
      return true
    } catch (failure) {
      setError(failure as Error)
      return false
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { isBusy, error, setError, run }
}
