// Something that a page shows and the service knows. What was shown before is there at once, and then made fresh.
import { useCallback, useEffect, useRef, useState } from 'react'
import { isAttended } from './attendance.ts'
import { CountersignError } from './service.ts'

export type Resource<T> = {
  data: T | undefined
  error: Error | undefined
  isLoading: boolean
  /** Asks the service again, for instance after something was changed. */
  reload: () => Promise<void>
}

export type ResourceOptions = {
  /** How often to look again by itself, as long as somebody is there to see it. */
  everyMs?: number | undefined
}

const MOST_REMEMBERED = 100
const remembered = new Map<string, unknown>()

function remember(key: string, value: unknown): void {
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(key, value)
}

/** Loads what a key names before a page asks for it, so that the page is whole at once. What fails is asked for again there. */
export async function loadAhead<T>(key: string, load: () => Promise<T>): Promise<void> {
  await load().then(
    (data) => remember(key, data),
    () => {},
  )
}

/** Forgets everything: the next person at this browser is another one. */
export function forgetResources(): void {
  remembered.clear()
}

/** Loads what the key names, and again when the key changes. */
export function useResource<T>(key: string, load: () => Promise<T>, { everyMs }: ResourceOptions = {}): Resource<T> {
  const [state, setState] = useState<{ key: string; data: T | undefined; error: Error | undefined }>()
  const loading = useRef(0)
  const current = useRef({ key, load })
  current.current = { key, load }

  const reload = useCallback(async () => {
    const mine = ++loading.current
    const { key: asked, load: ask } = current.current
    try {
      const data = await ask()
      remember(asked, data)
      if (mine === loading.current) setState({ key: asked, data, error: undefined })
    } catch (error) {
      // What was shown stays: a page that was good a moment ago is better than none.
      const data = remembered.get(asked) as T | undefined
      if (mine === loading.current) setState({ key: asked, data, error: error as Error })
    }
  }, [])

  useEffect(() => {
    void reload()
    return () => void loading.current++
  }, [key, reload])

  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(() => {
      if (isAttended()) void reload()
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs, reload])

  const isSame = state?.key === key
  const data = isSame ? state.data : (remembered.get(key) as T | undefined)
  const error = isSame ? state.error : undefined
  return { data, error, isLoading: data === undefined && error === undefined, reload }
}

/** Whether there is nothing (any more) at this address. */
export function isMissing(error: Error | undefined): boolean {
  return error instanceof CountersignError && (error.classification === 'EntityNotFound' || error.status === 404)
}
