import { useId } from 'react'

export type FileInputProps = {
  label: string
  /** The endings that the browser offers first. */
  accept?: string
  hint?: string
  isRequired?: boolean
  onChoose: (file: File | undefined) => void
}

/** One file from the person's machine. */
export function FileInput({ label, accept, hint, isRequired = true, onChoose }: FileInputProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        required={isRequired}
        accept={accept}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChoose(event.currentTarget.files?.[0])}
      />
      {hint && (
        <p id={`${id}-hint`} className="quiet small">
          {hint}
        </p>
      )}
    </div>
  )
}
