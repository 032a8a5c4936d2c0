import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { useModal } from '../../ui/use-modal.ts'

export type DrawerProps = { label: string; onClose: () => void; children: ReactNode }

/** The navigation on a phone. The browser keeps the focus inside, and gives it back when the drawer goes. */
export function Drawer({ label, onClose, children }: DrawerProps) {
  const dialog = useModal()
  return (
    <dialog
      ref={dialog}
      className="drawer"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        // The dialog itself is only met where its content is not: on the darkened page.
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className="drawer-content">
        <Button icon="close" onPress={onClose}>
          Close
        </Button>
        {children}
      </div>
    </dialog>
  )
}
