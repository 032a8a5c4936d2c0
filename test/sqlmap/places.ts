// Where sqlmap tries: every id in a path, every parameter of a query and every text of a body, each marked by a star.
import { apiDocument, type DocumentedParameter, type JsonSchema } from '../contract/documented.ts'
import { OPERATIONS } from '../contract/operations.ts'
import type { Things } from '../contract/world.ts'
import type { TestTenant } from '../service.ts'

export type Places = {
  method: string
  /** Path and query. */
  path: string
  body: string | undefined
  count: number
}

const MARK = '*'
/** Longer texts are documents, which no statement compares. */
const LONGEST_TEXT = 200

/** Of one operation, on things that are there; none where nothing of a caller's is in it. */
export async function placesOf(operation: string, things: Things, tenant: TestTenant): Promise<Places> {
  const [method, pattern] = operation.split(' ') as [string, string]
  const { ids, body } = OPERATIONS[operation]!
  const path = Object.entries(ids?.(things) ?? {}).reduce(
    (text, [name, id]) => text.replace(`:${name}`, id + MARK),
    pattern,
  )
  const query = queryOf(method, pattern).map((parameter) => `${parameter.name}=${exampleOf(parameter.schema)}${MARK}`)
  const marked = body && mark(await body(things, tenant))
  const text = marked === undefined ? undefined : JSON.stringify(marked)
  const whole = query.length === 0 ? path : `${path}?${query.join('&')}`
  return { method, path: whole, body: text, count: [...(whole + (text ?? '')).matchAll(/\*/g)].length }
}

function queryOf(method: string, pattern: string): DocumentedParameter[] {
  const path = pattern.replaceAll(/:(\w+)/g, '{$1}')
  const { parameters = [] } = apiDocument.paths[path]![method.toLowerCase()]!
  return parameters
    .map((one) => ('$ref' in one ? apiDocument.components.parameters[one.$ref.split('/').at(-1)!]! : one))
    .filter((one) => one.in === 'query')
}

function exampleOf({ type, format, enum: words }: JsonSchema): string {
  if (Array.isArray(words)) return String(words[0])
  if (type === 'integer' || type === 'number') return '1'
  if (type === 'boolean') return 'true'
  if (format === 'date-time') return '2026-01-01T00:00:00Z'
  return format === 'uuid' ? '0197b5a4-0000-7000-8000-000000000000' : 'a'
}

function mark(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? value : value.replaceAll(MARK, '') + MARK
  if (Array.isArray(value)) return value.map(mark)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mark(one)]))
}
