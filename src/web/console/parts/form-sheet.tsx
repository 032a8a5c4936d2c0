import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { useAction } from '../use-action.ts'
import { ErrorNotice } from './error-notice.tsx'

export type FormSheetProps = {
  title: string
  /** The words of the button that does it. */
  action: string
  /** Does it, and then closes the sheet or shows what came of it. */
  onSubmit: () => Promise<void>
  onClose: () => void
  children: ReactNode
}

/** A few fields above the page. What goes wrong is said below them. */
export function FormSheet({ title, action, onSubmit, onClose, children }: FormSheetProps) {
  const { isBusy, error, run } = useAction()
  return (
    <Sheet title={title} closeLabel="Cancel" isBusy={isBusy} onClose={onClose}>
      <form
        className="sheet-form"
        onSubmit={(event) => {
          event.preventDefault()
          void run(onSubmit)
        }}
      >
        {children}
        {error && <ErrorNotice error={error} />}
        <div className="sheet-actions">
          <Button kind="primary" isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Sheet>
  )
}
