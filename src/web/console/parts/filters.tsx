import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Input } from './input.tsx'

/** Plain controls above a list. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <div className="filters" role="search">
      {children}
    </div>
  )
}

const WAIT_MS = 250

export type SearchFieldProps = { label: string; value: string; onChange: (value: string) => void }

/** Looks while one types, a moment after the last letter. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange(text.trim()), WAIT_MS)
  }
  return <Input label={label} kind="search" value={typed} onChange={change} maxLength={200} />
}
