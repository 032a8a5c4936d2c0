import { useState, type ReactNode } from 'react'

type Drag = { preventDefault(): void; dataTransfer: DataTransfer | null }

/** The whole page takes a file that is dropped on it; otherwise the browser would leave the page and open it. */
export function FileTarget({ onFile, children }: { onFile: (file: File) => void; children: ReactNode }) {
  const [isOver, setOver] = useState(false)
  return (
    <div
      className={isOver ? 'file-target file-target-over' : 'file-target'}
      onDragOver={(event: Drag) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: Drag) => {
        event.preventDefault()
        setOver(false)
        const file = event.dataTransfer?.files[0]
        if (file) onFile(file)
      }}
    >
      {children}
    </div>
  )
}
