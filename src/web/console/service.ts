// What the console asks the service for: the public API, with the session in place of a key.
import { connect } from '#client'

export { ConnectionError, CountersignError } from '#client'

const SESSION_NEEDED = 5003
const endListeners = new Set<() => void>()

/** Tells when the service has said that nobody is signed in any more. Answers with what stops the telling. */
export function onSessionEnded(listen: () => void): () => void {
  endListeners.add(listen)
  return () => void endListeners.delete(listen)
}

/** Listens to every answer for the one that says that the session has ended. */
const listeningFetch: typeof fetch = async (address, options) => {
  const response = await fetch(address, { ...options, cache: 'no-store' })
  if (response.status === 401) noteRefusal(401, await readRefusal(response.clone()))
  return response
}

const readRefusal = (response: Response) => response.json().catch(() => ({})) as Promise<{ code?: number }>

/** Whoever calls in another way tells here what was refused. */
export function noteRefusal(status: number, { code }: { code?: number }): void {
  if (status === 401 && code === SESSION_NEEDED) for (const listen of endListeners) listen()
}

/** Somebody waits in front of the page: one more try, then it is told what is wrong. */
export const service = connect({ session: true, fetch: listeningFetch, tries: 2 })

export type Service = typeof service
/** What an operation answers with. */
export type Answer<Name extends keyof Service> = Service[Name] extends (...input: never[]) => Promise<infer T>
  ? T
  : never
