import { useId, type ReactNode, type RefObject } from 'react'
import { Notice } from './notice.tsx'

export type FieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  maxLength: number
  /** What is wrong with what was entered. */
  fault?: string | undefined
  hint?: string | undefined
  kind?: 'text' | 'lines' | 'code'
  inputRef?: RefObject<HTMLInputElement | null>
}

/** A labelled field. What is wrong with it stands right below it, and is read aloud with it. */
export function Field({ label, value, onChange, maxLength, fault, hint, kind = 'text', inputRef }: FieldProps) {
  const id = useId()
  const shared = {
    id,
    value,
    maxLength,
    'aria-invalid': fault !== undefined,
    'aria-describedby': `${id}-hint ${id}-fault`,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  return (
    <div className={kind === 'code' ? 'field field-code' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {kind === 'lines' && <textarea {...shared} rows={4} />}
      {kind === 'text' && <input {...shared} type="text" autoComplete="off" />}
      {kind === 'code' && (
        <input {...shared} ref={inputRef} type="text" inputMode="numeric" autoComplete="one-time-code" />
      )}
      <Below id={`${id}-hint`}>{hint && <p className="quiet small">{hint}</p>}</Below>
      <Below id={`${id}-fault`}>{fault && <Notice kind="bad">{fault}</Notice>}</Below>
    </div>
  )
}

function Below({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={id} aria-live="polite">
      {children}
    </div>
  )
}
