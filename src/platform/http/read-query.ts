// Query strings: names are matched without case, each may appear once, and texts become the numbers and booleans that
// the schema asks for. Unknown names are ignored.
import type { TSchema } from 'typebox'
import { invalidArgument } from '#platform/errors.ts'
import { readValues } from './read-input.ts'

type Properties = Record<string, { type?: string; enum?: readonly string[] }>

export function readQuery(schema: TSchema, search: string): Record<string, unknown> {
  const sent = new Map<string, string>()
  for (const [name, value] of parse(search)) {
    const key = name.toLowerCase()
    if (sent.has(key)) throw invalidArgument(key, 'is given twice')
    sent.set(key, value)
  }
  const properties = (schema as { properties?: Properties }).properties ?? {}
  const values: Record<string, unknown> = {}
  for (const name in properties) {
    const value = sent.get(name.toLowerCase())
    if (value !== undefined) values[name] = convert(properties[name]!, value, name)
  }
  return readValues(schema, values)
}

function parse(search: string): Iterable<[string, string]> {
  // URLSearchParams replaces what is not UTF-8 by U+FFFD; decodeURIComponent refuses it.
  return search
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      const name = at < 0 ? pair : pair.slice(0, at)
      return [decode(name, 'query'), at < 0 ? '' : decode(pair.slice(at + 1), decode(name, 'query'))]
    })
}

function decode(text: string, field: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidArgument(field, 'must be percent-encoded UTF-8')
  }
  if (decoded.includes('\u0000')) throw invalidArgument(field, 'must not contain the character U+0000')
  return decoded
}

function convert({ type }: Properties[string], value: string, name: string): unknown {
  if (type === 'integer') {
    if (!/^-?\d{1,12}$/.test(value)) throw invalidArgument(name, 'must be a whole number')
    return Number(value)
  }
  if (type === 'boolean') {
    if (/^true$/i.test(value)) return true
    if (/^false$/i.test(value)) return false
    throw invalidArgument(name, 'must be true or false')
  }
  return value
}
