import { useId, type ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'

export type ChooseFileProps = { kind: 'primary' | 'plain'; onFile: (file: File) => void; children: ReactNode }

/** A button that asks the browser for a file. It is an input with its label, so the keyboard reaches it by itself. */
export function ChooseFile({ kind, onFile, children }: ChooseFileProps) {
  const id = useId()
  return (
    <span className="choose-file">
      <input
        id={id}
        className="for-screen-readers"
        type="file"
        accept="application/pdf,.pdf"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // The same file may be chosen again, after it was changed.
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
      <label htmlFor={id} className={`button button-${kind}`}>
        <Icon name="page" />
        <span>{children}</span>
      </label>
    </span>
  )
}
