// What the console asks the service for: the public API, with the session in place of a key.

/** The service's refusal, with the three fields of its body. */
export class CountersignError extends Error {
  readonly status: number
  readonly code: number
  readonly classification: string
  /** Names the call in the logs of the service. */
  readonly requestId: string | undefined

  constructor(status: number, body: Partial<ErrorBody>, requestId?: string) {
    super(body.message ?? `The service answered ${status}.`)
    this.status = status
    this.code = body.code ?? 0
    this.classification = body.classification ?? 'InternalError'
    this.requestId = requestId
  }
}

/** The service could not be reached. */
export class ConnectionError extends Error {}

type ErrorBody = { code: number; classification: string; message: string | null }
type Input = Record<string, unknown>

const SESSION_NEEDED = 5003
const endListeners = new Set<() => void>()

/** Tells when the service has said that nobody is signed in any more. Answers with what stops the telling. */
export function onSessionEnded(listen: () => void): () => void {
  endListeners.add(listen)
  return () => void endListeners.delete(listen)
}

async function send(method: string, path: string, body: BodyInit | undefined, type?: string): Promise<Response> {
  const headers: Record<string, string> = { 'x-countersign-console': '1', ...(type && { 'content-type': type }) }
  const response = await fetch(path, { method, headers, cache: 'no-store', ...(body !== undefined && { body }) }).catch(
    () => undefined,
  )
  if (response === undefined) throw new ConnectionError('The service does not answer.')
  if (response.ok) return response
  const said = (await response.json().catch(() => ({}))) as Partial<ErrorBody>
  if (said.code === SESSION_NEEDED) for (const listen of endListeners) listen()
  throw new CountersignError(response.status, said, response.headers.get('x-request-id') ?? undefined)
}

/** Calls an operation: names in the path are filled in, the rest travels in the query of a reading, in the body of a writing. */
async function call<T>(method: string, template: string, input: Input = {}): Promise<T> {
  const rest = { ...input }
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const isRead = method === 'GET'
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== '')
  const query = isRead ? new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString() : ''
  const body = isRead || given.length === 0 ? undefined : JSON.stringify(Object.fromEntries(given))
  const response = await send(method, query ? `${path}?${query}` : path, body, body && 'application/json')
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

export type Me = {
  id: string
  role: string
  isAdministrator: boolean
  firstName: string | null
  lastName: string | null
  email: string | null
  tenantId: string
  organisation: string
  departmentName: string
  departmentId: string
}

export type SignInState = { state: 'SignedIn' | 'ChooseTenant'; tenants: { id: string; name: string }[] | null }
export type Session = {
  id: string
  agent: string
  isThisOne: boolean
  creationDate: string
  lastSeenDate: string
  expirationDate: string
}

export const service = {
  readCaller: () => call<Me>('GET', '/identity/me'),
  logOut: (input: { everywhere?: boolean } = {}) => call<undefined>('POST', '/identity/logout', input),
  signIn: (input: { login: string; password: string; tenantId?: string | undefined }) =>
    call<SignInState>('POST', '/console/session', input),
  listSessions: () => call<{ total: number; items: Session[] }>('GET', '/console/session'),
  endSession: (input: { id: string }) => call<undefined>('DELETE', '/console/session/{id}', input),
}
