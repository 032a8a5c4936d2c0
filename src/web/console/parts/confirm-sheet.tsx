import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { useAction } from '../use-action.ts'
import { ErrorNotice } from './error-notice.tsx'
import { Input } from './input.tsx'

export type ConfirmSheetProps = {
  title: string
  /** Exactly what will happen, and to how many. */
  children: ReactNode
  /** The words of the button that does it. */
  action: string
  /** The words of the one that leaves everything as it is; others than “Cancel” where canceling is what the sheet does. */
  closeLabel?: string
  /** What can't be undone asks for this name first. */
  name?: string
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** Before dangerous work: what will happen, and the question whether it shall. */
export function ConfirmSheet({
  title,
  children,
  action,
  closeLabel = 'Cancel',
  name,
  onConfirm,
  onClose,
}: ConfirmSheetProps) {
  const { isBusy, error, run } = useAction()
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const confirm = async () => {
    if (name !== undefined && typed.trim() !== name.trim()) return setMissing(true)
    if (await run(onConfirm)) onClose()
  }
  return (
    <Sheet title={title} closeLabel={closeLabel} isBusy={isBusy} onClose={onClose}>
      <form
        className="sheet-form"
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        <div className="confirm-words">{children}</div>
        {name !== undefined && (
          <Input
            label={`Type “${name}” to go on`}
            value={typed}
            onChange={(value) => {
              setTyped(value)
              setMissing(false)
            }}
            maxLength={500}
            fault={isMissing ? 'This is not the name.' : undefined}
          />
        )}
        {error && <ErrorNotice error={error} />}
        <div className="sheet-actions">
          <Button kind="danger" isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Sheet>
  )
}
