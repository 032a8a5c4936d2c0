// One file at a time: chosen, checked, shown.
import { useCallback, useRef, useState } from 'react'
import { checkFile, Trouble, type Report, type TroubleKind } from './verify-api.ts'

export type Screen =
  | { kind: 'start' }
  | { kind: 'checking'; name: string }
  | { kind: 'result'; name: string; report: Report }
  | { kind: 'trouble'; name: string; trouble: TroubleKind }

export type Check = { screen: Screen; check: (file: File) => void; startAgain: () => void }

export function useCheck(evidence: string | undefined): Check {
  const [screen, setScreen] = useState<Screen>({ kind: 'start' })
  // A second file may be dropped while the first is under way: the newest counts.
  const newest = useRef<File>(undefined)

  const check = useCallback(
    (file: File) => {
      newest.current = file
      setScreen({ kind: 'checking', name: file.name })
      void outcomeOf(file, evidence).then((outcome) => {
        if (newest.current === file) setScreen(outcome)
      })
    },
    [evidence],
  )
  const startAgain = useCallback(() => {
    newest.current = undefined
    setScreen({ kind: 'start' })
  }, [])
  return { screen, check, startAgain }
}

async function outcomeOf(file: File, evidence: string | undefined): Promise<Screen> {
  const { name } = file
  try {
    return { kind: 'result', name, report: await checkFile(file, evidence) }
  } catch (error) {
    if (error instanceof Trouble) return { kind: 'trouble', name, trouble: error.kind }
    throw error
  }
}
