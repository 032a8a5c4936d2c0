import { useState } from 'react'
import { formatCount } from '../format.ts'
import { ConfirmSheet } from '../parts/confirm-sheet.tsx'
import { Input } from '../parts/input.tsx'
import { useToast } from '../parts/toasts.tsx'
import { service } from '../service.ts'
import type { ShownRequest } from './shown-request.ts'

const REASON_LENGTH = 500

export type CancelSheetProps = { request: ShownRequest; onChange: () => Promise<void>; onClose: () => void }

/** Says exactly what canceling does, and to how many. */
export function CancelSheet({ request, onChange, onClose }: CancelSheetProps) {
  const [reason, setReason] = useState('')
  const say = useToast()
  const told = request.signatories.filter(({ invitedDate }) => invitedDate !== null).length
  const cancel = async () => {
    await service.cancelSignatureRequest({ id: request.id, ...(reason.trim() && { reason: reason.trim() }) })
    say('The request is canceled.')
    await onChange()
  }
  return (
    <ConfirmSheet
      title="Cancel the request"
      action="Cancel the request"
      closeLabel="Keep it"
      onConfirm={cancel}
      onClose={onClose}
    >
      <p>
        “{request.subject}” can’t be signed any more, and personal links stop working at once.{' '}
        {told > 0 && `${formatCount(told, 'person who was invited is', 'people who were invited are')} told. `}
        Nothing is deleted, and it can’t be opened again.
      </p>
      <Input
        label="Reason (people are told)"
        kind="lines"
        value={reason}
        onChange={setReason}
        maxLength={REASON_LENGTH}
      />
    </ConfirmSheet>
  )
}
