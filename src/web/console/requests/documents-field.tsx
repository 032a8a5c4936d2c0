import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatBytes } from '../format.ts'
import { ICONS } from '../icons.ts'
import { Card } from '../parts/card.tsx'
import { DropFiles } from '../parts/drop-files.tsx'
import { Input } from '../parts/input.tsx'
import { newDocument, type DraftDocument } from './draft.ts'

const TITLE_LENGTH = 255
const MOST_DOCUMENTS = 50
const MOST_BYTES = 25 * 1024 * 1024

export type DocumentsFieldProps = { documents: DraftDocument[]; onChange: (documents: DraftDocument[]) => void }

/** The PDFs: dropped here, or chosen. */
export function DocumentsField({ documents, onChange }: DocumentsFieldProps) {
  const [refused, setRefused] = useState<string[]>([])
  const add = (given: File[]) => {
    const faults = given.flatMap((file) => faultOf(file) ?? [])
    setRefused(faults)
    const good = given.filter((file) => faultOf(file) === undefined).map(newDocument)
    if (good.length > 0) onChange([...documents, ...good].slice(0, MOST_DOCUMENTS))
  }
  return (
    <Card title="Documents">
      <DropFiles
        label="Drop PDF files here, or choose them"
        hint={`Up to ${MOST_DOCUMENTS} files.`}
        accept="application/pdf,.pdf"
        onFiles={add}
      />
      {refused.map((fault) => (
        <Notice key={fault} kind="bad">
          {fault}
        </Notice>
      ))}
      {documents.map((document) => (
        <DocumentField
          key={document.key}
          document={document}
          onTitle={(title) => onChange(documents.map((other) => (other === document ? { ...other, title } : other)))}
          onRemove={() => onChange(documents.filter((other) => other !== document))}
        />
      ))}
    </Card>
  )
}

type DocumentFieldProps = { document: DraftDocument; onTitle: (title: string) => void; onRemove: () => void }

function DocumentField({ document: { file, title }, onTitle, onRemove }: DocumentFieldProps) {
  return (
    <div className="entry">
      <Input
        label={`Title of ${file.name}`}
        hint={formatBytes(file.size)}
        value={title}
        onChange={onTitle}
        maxLength={TITLE_LENGTH}
      />
      <Button icon={ICONS.remove} onPress={onRemove}>
        Remove<span className="for-screen-readers"> {file.name}</span>
      </Button>
    </div>
  )
}

function faultOf(file: File): string | undefined {
  if (file.type !== 'application/pdf' && !/\.pdf$/i.test(file.name))
    return `${file.name} is not a PDF. Save it as PDF first, then add it here.`
  if (file.size === 0) return `${file.name} is empty.`
  if (file.size > MOST_BYTES)
    return `${file.name} has ${formatBytes(file.size)}; up to ${formatBytes(MOST_BYTES)} can be sent.`
  return undefined
}
