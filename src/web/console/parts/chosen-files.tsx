import { Button } from '../../ui/button.tsx'
import { formatBytes } from '../format.ts'

export type ChosenFilesProps = { files: readonly File[]; onRemove: (file: File) => void }

/** The files that were dropped so far, each with a way out again. */
export function ChosenFiles({ files, onRemove }: ChosenFilesProps) {
  if (files.length === 0) return null
  return (
    <ul className="chosen-files" aria-label="Chosen files">
      {files.map((file, index) => (
        <li key={`${file.name} ${index}`}>
          <span>
            {file.name} <span className="quiet small">{formatBytes(file.size)}</span>
          </span>
          <Button kind="quiet" icon="close" onPress={() => onRemove(file)}>
            Take out<span className="for-screen-readers"> {file.name}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
