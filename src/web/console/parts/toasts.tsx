import { createContext, useCallback, useContext, useRef, useState, type ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'

type Toast = { id: number; text: string }

const SHOWN_MS = 6_000
const MOST = 3

const ToastContext = createContext<(text: string) => void>(() => {})

/** Says briefly that something went well. What went wrong stays where it happened. */
export function useToast(): (text: string) => void {
  return useContext(ToastContext)
}

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([])
  const nextId = useRef(0)
  const say = useCallback((text: string) => {
    const id = nextId.current++
    setToasts((shown) => [...shown, { id, text }].slice(-MOST))
    setTimeout(() => setToasts((shown) => shown.filter((toast) => toast.id !== id)), SHOWN_MS)
  }, [])
  return (
    <ToastContext.Provider value={say}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text }) => (
          <p key={id} className="toast with-icon">
            <Icon name="done" />
            <span>{text}</span>
          </p>
        ))}
      </div>
    </ToastContext.Provider>
  )
}
