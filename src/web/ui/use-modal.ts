import { useLayoutEffect, useRef, type RefObject } from 'react'

/** A dialog above the page for as long as it is drawn: the browser keeps the focus inside, and gives it back afterwards. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current!
    shown.showModal()
    return () => shown.close()
  }, [])
  return dialog
}
