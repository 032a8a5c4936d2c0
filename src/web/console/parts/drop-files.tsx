import { useId, useRef, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { ICONS } from '../icons.ts'

export type DropFilesProps = {
  /** What to drop, such as “Drop the files to seal”. */
  label: string
  hint?: string
  /** The endings that the browser offers first. */
  accept?: string
  isMultiple?: boolean
  onFiles: (files: File[]) => void
}

/** A place for files: they are dropped on it, or chosen after a press. */
export function DropFiles({ label, hint, accept, isMultiple = true, onFiles }: DropFilesProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null | undefined) => {
    const taken = [...(files ?? [])]
    if (taken.length > 0) onFiles(isMultiple ? taken : taken.slice(0, 1))
    // The same file may be chosen again after it was taken out.
    if (input.current) input.current.value = ''
  }
  return (
    <div
      className={isOver ? 'drop-files drop-files-over' : 'drop-files'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      }}
    >
      <input
        ref={input}
        id={id}
        type="file"
        accept={accept}
        multiple={isMultiple}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => take(event.currentTarget.files)}
      />
      <label htmlFor={id}>
        <Icon name={ICONS.upload} />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={`${id}-hint`} className="quiet small">
          {hint}
        </p>
      )}
    </div>
  )
}
