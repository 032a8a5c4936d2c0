// Something that the person asked for: at most once at a time, with words for what goes wrong.
import { useRef, useState } from 'react'
import { Refusal, REFUSALS } from './signer-api.ts'
import { useWords, type Words } from './words.ts'

export type Action = {
  isBusy: boolean
  fault: string | undefined
  setFault: (fault: string | undefined) => void
  /** Runs it unless it runs already; tells whether it went well. */
  run: (work: () => Promise<void>) => Promise<boolean>
}

export function useAction(): Action {
  const words = useWords()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  // A second press can come before the first has been drawn.
  const isRunning = useRef(false)

  const run = async (work: () => Promise<void>) => {
    if (isRunning.current) return false
    isRunning.current = true
    setBusy(true)
    setFault(undefined)
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setFault(wordsFor(error, words))
      return false
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { isBusy, fault, setFault, run }
}

function wordsFor({ code, triesLeft, requestId }: Refusal, { say }: Words): string {
  switch (code) {
    case undefined:
      return say('troubleOffline')
    case REFUSALS.wrongCode:
      return say('codeWrong', { count: triesLeft })
    case REFUSALS.codeNotUsable:
      return say('codeNotUsable')
    case REFUSALS.tooManyTries:
      return say('codeTooManyTries')
    case REFUSALS.providerAway:
      return say('strongAway')
    case REFUSALS.tooManyCodes:
      return say('codeTooManySent')
    default:
      return `${say('troubleText')} ${requestId ? say('troubleNumber', { id: requestId }) : ''}`
  }
}
