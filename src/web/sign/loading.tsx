import { useEffect, useState } from 'react'
import { useWords } from './words.ts'

const QUIET_MS = 400

/** Says that it loads, but only to those who have to wait. */
export function Loading() {
  const { say } = useWords()
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className="waiting" role="status">
      {isLong && say('loading')}
    </p>
  )
}
