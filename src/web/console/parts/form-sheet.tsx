import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { useAction } from '../use-action.ts'
import { ErrorNotice } from './error-notice.tsx'

export type FormSheetProps = {
  title: string
  /** The words of the button that does it. */
  action: string
  onSubmit: () => Promise<void>
  onClose: () => void
  children: ReactNode
}

/** A few fields above the page. It goes when what they ask for has been done. */
export function FormSheet({ title, action, onSubmit, onClose, children }: FormSheetProps) {
  const { isBusy, error, run } = useAction()
  const submit = async () => {
    if (await run(onSubmit)) onClose()
  }
  return (
    <Sheet title={title} closeLabel="Cancel" isBusy={isBusy} onClose={onClose}>
      <form
        className="sheet-form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
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
