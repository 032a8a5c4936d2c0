import { useEffect, useRef, type ReactNode } from 'react'

let isFirstPage = true

/** The page's heading. When one page takes another's place, the focus goes there, so that it is read aloud. */
export function PageTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: false })
    isFirstPage = false
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
