import { useEffect, useRef, type RefObject } from 'react'

/** Tells when an element comes into sight or leaves it; `margin` is how far around the window counts as sight. */
export function useInSight(
  element: RefObject<Element | null>,
  margin: string,
  onChange: (isInSight: boolean) => void,
): void {
  const tell = useRef(onChange)
  tell.current = onChange
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => tell.current(entry!.isIntersecting), { rootMargin: margin })
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [element, margin])
}
