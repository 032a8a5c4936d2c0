import { useId, type ReactNode } from 'react'

export type CheckboxProps = {
  isOn: boolean
  onChange: (isOn: boolean) => void
  hint?: string
  children: ReactNode
}

/** Something that is so or not. The whole line can be pressed. */
export function Checkbox({ isOn, onChange, hint, children }: CheckboxProps) {
  const id = useId()
  return (
    <div className="checkbox">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{children}</label>
      {hint && (
        <p id={`${id}-hint`} className="quiet small">
          {hint}
        </p>
      )}
    </div>
  )
}
