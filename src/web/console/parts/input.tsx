import { useId, type RefObject } from 'react'
import { Notice } from '../../ui/notice.tsx'

export type InputProps = {
  label: string
  value: string
  onChange: (value: string) => void
  maxLength: number
  kind?:
    | 'text'
    | 'email'
    | 'password'
    | 'tel'
    | 'url'
    | 'date'
    | 'datetime-local'
    | 'search'
    | 'number'
    | 'lines'
    | 'code'
  /** What browsers and password managers may fill in. */
  autoComplete?: string
  hint?: string | undefined
  /** What is wrong with what was entered. */
  fault?: string | undefined
  isRequired?: boolean
  min?: string | undefined
  max?: string | undefined
  inputRef?: RefObject<HTMLInputElement | null>
}

/** A labelled field of the console. What is wrong with it stands right below it, and is read aloud with it. */
export function Input(props: InputProps) {
  const { label, value, onChange, maxLength, kind = 'text', autoComplete = 'off', hint, fault, isRequired } = props
  const id = useId()
  const shared = {
    id,
    value,
    maxLength,
    autoComplete,
    required: isRequired,
    'aria-invalid': fault !== undefined,
    'aria-describedby': `${id}-below`,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  const type = kind === 'code' || kind === 'lines' ? 'text' : kind
  return (
    <div className={kind === 'code' ? 'field field-code' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {kind === 'lines' ? (
        <textarea {...shared} rows={4} />
      ) : (
        <input
          {...shared}
          ref={props.inputRef}
          type={type}
          min={props.min}
          max={props.max}
          inputMode={kind === 'code' ? 'numeric' : undefined}
          spellCheck={kind === 'text'}
        />
      )}
      <div id={`${id}-below`} aria-live="polite">
        {hint && <p className="quiet small">{hint}</p>}
        {fault && <Notice kind="bad">{fault}</Notice>}
      </div>
    </div>
  )
}
