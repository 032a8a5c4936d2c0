// Where the person is, by the browser's own history: every page has an address that can be kept, shared and reloaded.
import { useEffect, useState, type ReactNode } from 'react'

export type Address = { path: string; query: URLSearchParams; hash: string }

const listeners = new Set<() => void>()

function readAddress(): Address {
  const { pathname, search, hash } = window.location
  return { path: pathname.replace(/\/+$/, ''), query: new URLSearchParams(search), hash: hash.slice(1) }
}

/** Goes to another page of the console. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) window.history.replaceState(null, '', to)
  else window.history.pushState(null, '', to)
  for (const listen of listeners) listen()
  if (!replace) window.scrollTo(0, 0)
}

/** The present address; whoever uses it is drawn again when it changes. */
export function useAddress(): Address {
  const [address, setAddress] = useState(readAddress)
  useEffect(() => {
    const listen = () => setAddress(readAddress())
    listeners.add(listen)
    window.addEventListener('popstate', listen)
    return () => {
      listeners.delete(listen)
      window.removeEventListener('popstate', listen)
    }
  }, [])
  return address
}

/** Changes what the address asks for, such as a filter. An empty value is left out. */
export function changeQuery(changes: Record<string, string | undefined>): void {
  const { path, query } = readAddress()
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const text = query.toString()
  navigate(text ? `${path}?${text}` : path, { replace: true })
}

/** The values of a pattern's names, such as `/console/requests/:id`; undefined where the path is another. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(given[index]!)
    else if (part !== given[index]) return undefined
  }
  return params
}

export type LinkProps = {
  to: string
  className?: string
  isCurrent?: boolean
  onFollow?: () => void
  children: ReactNode
}

/** A link inside the console: without loading everything again, and still one that opens in another tab. */
export function Link({ to, className, isCurrent = false, onFollow, children }: LinkProps) {
  return (
    <a
      href={to}
      className={className}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
        event.preventDefault()
        onFollow?.()
        navigate(to)
      }}
    >
      {children}
    </a>
  )
}
