// What no answer may be, whatever was asked.
import { Check } from 'typebox/schema'
import type { JsonSchema } from '../contract/documented.ts'
import type { FuzzedOperation, Plan } from './requests.ts'
import { schemaResolver } from './requests.ts'

export type Answered = { status: number; contentType: string; text: string; tookMs: number }

/** Of a machine with nothing else to do. */
export const SLOWEST_MS = 2_000

/** Traces of the inside: the database's words, stacks, paths of files. */
const INTERNALS =
  /SQLSTATE|syntax error at|duplicate key value|violates \w+ constraint|relation "|\b(22P0\d|2202\d|23\d{3}|42\w\d{2}|XX000)\b|\bat \S+ \(|node:internal|node_modules|\.ts:\d+|\/src\/|\/tmp\/|\/home\/|\bpg_\w+/

/** The reasons why the answer is wrong; none where it is right. */
export function judge(fuzzed: FuzzedOperation, plan: Plan, answered: Answered, slowestMs = SLOWEST_MS): string[] {
  const { status, text, tookMs } = answered
  const faults: string[] = []
  if (status >= 500) faults.push(`it answered ${status}`)
  if (!(String(status) in fuzzed.operation.responses)) faults.push(`the status ${status} is not documented`)
  if (plan.flaw !== undefined && status < 400) faults.push(`it accepted a body although ${plan.flaw}`)
  if (tookMs > slowestMs) faults.push(`it took ${Math.round(tookMs)} ms`)
  const leak = INTERNALS.exec(isJson(answered) ? text : '')
  if (leak && !echoes(plan, leak[0])) faults.push(`it shows the inside: ${leak[0]}`)
  return [...faults, ...brokenSchema(fuzzed, answered)]
}

export function isJson({ contentType }: Answered): boolean {
  return contentType.startsWith('application/json')
}

/** A caller's own words come back to the caller. */
function echoes({ address, body }: Plan, words: string): boolean {
  return address.includes(words) || (body?.includes(words) ?? false)
}

function brokenSchema({ operation, document }: FuzzedOperation, answered: Answered): string[] {
  const { status, text } = answered
  if (!(String(status) in operation.responses)) return []
  const resolve = schemaResolver(document)
  const schema = status >= 400 ? document.components.schemas['Error'] : successSchema(operation, status)
  if (schema === undefined) return text === '' ? [] : [`${status} has a body`]
  if (!isJson(answered)) return status >= 400 ? ['a refusal is not JSON'] : []
  const value: unknown = JSON.parse(text)
  return Check(expand(schema, resolve), value) ? [] : [`the answer ${status} breaks its schema: ${text.slice(0, 500)}`]
}

function successSchema({ responses }: FuzzedOperation['operation'], status: number): JsonSchema | undefined {
  return Object.values(responses[status]?.content ?? {})[0]?.schema
}

/** The schema with what it refers to written out. */
function expand(schema: unknown, resolve: (schema: JsonSchema) => JsonSchema): JsonSchema {
  if (Array.isArray(schema)) return schema.map((part) => expand(part, resolve)) as unknown as JsonSchema
  if (typeof schema !== 'object' || schema === null) return schema as JsonSchema
  const resolved = resolve(schema as JsonSchema)
  return Object.fromEntries(Object.entries(resolved).map(([word, part]) => [word, expand(part, resolve)]))
}
