import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ICONS } from '../icons.ts'

const SAID_MS = 2_000

/** Puts a text into the clipboard, and says so. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setDone(true)
    setTimeout(() => setDone(false), SAID_MS)
  }
  return (
    <Button kind="quiet" icon={isDone ? 'check' : ICONS.copy} onPress={() => void copy().catch(() => {})}>
      {isDone ? 'Copied' : 'Copy'}
      <span className="for-screen-readers"> the {what}</span>
    </Button>
  )
}
