import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { decline, type SigningRequest } from './signer-api.ts'
import { useAction } from './use-action.ts'
import { useWords } from './words.ts'

const REASON_LENGTH = 500

export type DeclineSheetProps = { request: SigningRequest; onClose: () => void; onDeclined: () => Promise<void> }

/** Declining needs a reason, and says before what it does. */
export function DeclineSheet({ request, onClose, onDeclined }: DeclineSheetProps) {
  const { say } = useWords()
  const [reason, setReason] = useState('')
  const { isBusy, fault, setFault, run } = useAction()
  const confirm = async () => {
    if (reason.trim() === '') return setFault(say('declineReasonNeeded'))
    await run(async () => {
      await decline(request, reason.trim())
      await onDeclined()
    })
  }
  return (
    <Sheet title={say('declineTitle')} closeLabel={say('backToDocuments')} isBusy={isBusy} onClose={onClose}>
      <p>{say('declineHint')}</p>
      <form
        className="sheet-actions"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void confirm()
        }}
      >
        <Field
          kind="lines"
          label={say('declineReason')}
          value={reason}
          maxLength={REASON_LENGTH}
          fault={fault}
          onChange={setReason}
        />
        <Button kind="danger" icon="cross" isBusy={isBusy}>
          {say('declineButton')}
        </Button>
      </form>
    </Sheet>
  )
}
