import { useId, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { useModal } from './use-modal.ts'

export type SheetProps = {
  title: string
  closeLabel: string
  onClose: () => void
  /** Something is being sent; the sheet waits for it. */
  isBusy?: boolean
  children: ReactNode
}

/** A sheet above the page. The browser keeps the focus inside, and gives it back when the sheet goes. */
export function Sheet({ title, closeLabel, onClose, isBusy = false, children }: SheetProps) {
  const id = useId()
  const dialog = useModal()
  return (
    <dialog
      ref={dialog}
      className="sheet"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!isBusy) onClose()
      }}
    >
      <div className="sheet-content">
        <div className="sheet-top">
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" icon="close" isBusy={isBusy} onPress={onClose}>
            {closeLabel}
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
