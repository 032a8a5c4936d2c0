// One call of one operation: where its fields go, and what its answer becomes.
import { CountersignError } from './errors.ts'

/** What can be sent as a document. A stream can be sent once only, so a call with one is never repeated. */
export type Content = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | string

export type CallOptions = {
  /** Ends the call, and the tries that would have followed. */
  signal?: AbortSignal
  /** Your own key for a write that must happen once, for instance over restarts of your program. */
  idempotencyKey?: string
  headers?: Record<string, string>
  /** Sees the answer of the last try, such as its headers, before it is read. */
  onResponse?: (response: Response) => void
}

export type Call = {
  method: string
  path: string
  headers: Record<string, string>
  body: Content | undefined
  answersBytes: boolean
  /** Whether the call can be sent again without having its effect twice. */
  isRepeatable: boolean
}

type Fields = Record<string, unknown>

/** The call of an operation, from its line in the list of operations and what the caller gave. */
export function makeCall(line: string, input: Fields, { idempotencyKey, headers }: CallOptions = {}): Call {
  const [method = '', template = '', ...traits] = line.split(' ')
  const { path, rest } = fillPath(template, input)
  const sendsBytes = traits.includes('sends-bytes')
  const isRead = method === 'GET'
  const isInQuery = isRead || sendsBytes || traits.includes('query')
  const hasNoBody = isInQuery || traits.includes('bodiless')
  const takesKey = !isRead && !traits.includes('once')
  const { content, ...fields } = rest
  const body = sendsBytes ? (content as Content) : hasNoBody ? undefined : JSON.stringify(rest)
  return {
    method,
    path: isInQuery ? path + queryOf(sendsBytes ? fields : rest) : path,
    headers: {
      ...(body !== undefined && { 'content-type': sendsBytes ? typeOf(body) : 'application/json' }),
      ...(takesKey && { 'idempotency-key': idempotencyKey ?? randomKey() }),
      ...headers,
    },
    body,
    answersBytes: traits.includes('answers-bytes'),
    isRepeatable: (isRead || takesKey) && !(body instanceof ReadableStream),
  }
}

function fillPath(template: string, input: Fields): { path: string; rest: Fields } {
  const rest = { ...input }
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    // An empty segment, or one that addresses resolve, would reach another operation than the one that was called.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} is missing`)
    return encodeURIComponent(value)
  })
  return { path, rest }
}

function queryOf(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) query.set(name, `${value as string | number | boolean}`)
  }
  return query.size > 0 ? `?${query}` : ''
}

function typeOf(content: Content): string {
  return (content instanceof Blob && content.type) || 'application/octet-stream'
}

/** Not crypto.randomUUID, which browsers have on secure pages only. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const NOT_OURS = {
  code: 0,
  classification: 'InternalError',
  message: 'The answer is not JSON. Is this the address of the service?',
} as const

/** The answer's value: what its JSON says, the response itself where it is a document, undefined where there is none. */
export async function readAnswer(response: Response, { answersBytes }: Call): Promise<unknown> {
  if (!response.ok) throw await CountersignError.from(response)
  if (answersBytes && response.status !== 204) return response
  const text = await response.text()
  if (text === '') return undefined
  if (response.headers.get('content-type')?.startsWith('application/json')) return JSON.parse(text)
  throw new CountersignError(response.status, NOT_OURS)
}
