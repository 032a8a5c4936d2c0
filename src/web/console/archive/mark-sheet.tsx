import { useState } from 'react'
import { Choice } from '../parts/choice.tsx'
import { FormSheet } from '../parts/form-sheet.tsx'
import { Input } from '../parts/input.tsx'
import { useToast } from '../parts/toasts.tsx'
import type { Stage } from './archive-words.ts'
import { reportArchiving, type Finished, type RequestKind } from './finished-requests.ts'

type Next = Exclude<Stage, 'Closed'>

const OPTIONS: readonly (readonly [Next, string])[] = [
  ['Archiving', 'The archive has begun'],
  ['Archived', 'It is archived'],
  ['ArchivingFailed', 'Archiving failed'],
]

export type MarkSheetProps = { kind: RequestKind; item: Finished; onClose: () => void; onDone: () => Promise<void> }

/** What the archive would report, said by a person. */
export function MarkSheet({ kind, item, onClose, onDone }: MarkSheetProps) {
  const say = useToast()
  const possible = OPTIONS.filter(([stage]) => stage !== item.stage)
  const [stage, setStage] = useState<Next>(possible[0]![0])
  const [reason, setReason] = useState('')
  return (
    <FormSheet
      title={`Mark ${item.name}`}
      action="Mark it"
      onClose={onClose}
      onSubmit={async () => {
        await reportArchiving({ kind, id: item.id, stage, reason: reason.trim() })
        say(`${item.name} is marked.`)
        onClose()
        await onDone()
      }}
    >
      <p>
        This tells the service, and through webhooks your programs, how far the archive has come. Once it is archived,
        that can’t be taken back.
      </p>
      <Choice label="How far it has come" value={stage} options={possible} onChange={setStage} />
      {stage === 'ArchivingFailed' && kind === 'signature' && (
        <Input label="What went wrong" kind="lines" value={reason} onChange={setReason} maxLength={1000} />
      )}
    </FormSheet>
  )
}
