// Holds what a caller sent against its schema, and hands on only what the schema names, each value in its one written
// form. Unknown fields are left behind; null and the nil UUID mean absent; a wrong type is refused with the field's path.
import type { TSchema } from 'typebox'
import { invalidArgument } from '#platform/errors.ts'
import { DocumentContent } from './document-content.ts'
import { ABSENT, FORMATS, isNilUuid } from './formats.ts'

/** The parts of JSON Schema that our schemas use. */
type Schema = {
  type?: string
  format?: string
  enum?: readonly string[]
  anyOf?: readonly Schema[]
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: Schema
  maxProperties?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  /** Ours: the name may also be written with an initial capital. */
  eitherInitial?: boolean
  /** Ours: null is a value of its own here. */
  keepsNull?: boolean
}

type Rules = {
  /** In bodies the nil UUID means "not given"; elsewhere it is an id like any other. */
  nilMeansAbsent: boolean
}

/** A body, cleaned; throws `InvalidArgument` naming the field and what would be right. */
export function readBody(schema: TSchema, value: unknown): unknown {
  const read = readValue(schema, value, 'body', { nilMeansAbsent: true })
  return read === ABSENT ? undefined : read
}

/** Values that came in the address, cleaned in the same way. */
export function readValues(schema: TSchema, values: Record<string, unknown>): Record<string, unknown> {
  return readObject(schema, values, '', { nilMeansAbsent: false })
}

function readValue(schema: Schema, value: unknown, path: string, rules: Rules): unknown {
  if (value === null && schema.keepsNull) return null
  if (value === null || value === undefined) return ABSENT
  if (schema.anyOf) return readEither(schema.anyOf, value, path, rules)
  if (schema.enum) return readWord(schema.enum, value, path)
  switch (schema.type) {
    case 'object':
      return schema.properties ? readObject(schema, value, path, rules) : readMap(schema, value, path, rules)
    case 'array':
      return readArray(schema, value, path, rules)
    case 'string':
      return readString(schema, value, path, rules)
    case 'integer':
    case 'number':
      return readNumber(schema, value, path)
    case 'boolean':
      if (typeof value !== 'boolean') throw invalidArgument(path, 'must be true or false')
      return value
    default:
      throw new Error(`${path}: the schema has a type that can't be read: ${schema.type}`)
  }
}

function readEither(choices: readonly Schema[], value: unknown, path: string, rules: Rules): unknown {
  const schema = choices.find((choice) => choice.type !== 'null')
  return readValue(schema!, value, path, rules)
}

function readObject(schema: Schema, value: unknown, path: string, rules: Rules): Record<string, unknown> {
  if (!isPlainObject(value)) throw invalidArgument(path, 'must be an object')
  const result: Record<string, unknown> = {}
  for (const name in schema.properties) {
    const read = readValue(schema.properties[name]!, readProperty(schema, value, name, path), join(path, name), rules)
    if (read !== ABSENT) result[name] = read
    else if (schema.required?.includes(name)) throw invalidArgument(join(path, name), 'is required')
  }
  return result
}

function readProperty(schema: Schema, value: Record<string, unknown>, name: string, path: string): unknown {
  const own = Object.hasOwn(value, name) ? value[name] : undefined
  if (!schema.eitherInitial) return own
  const other =
    name[0] === name[0]!.toLowerCase() ? name[0].toUpperCase() + name.slice(1) : name[0]!.toLowerCase() + name.slice(1)
  if (!Object.hasOwn(value, other)) return own
  if (own !== undefined) throw invalidArgument(join(path, name), 'is given twice, in both spellings')
  return value[other]
}

function readMap(schema: Schema, value: unknown, path: string, rules: Rules): Record<string, unknown> {
  if (!isPlainObject(value)) throw invalidArgument(path, 'must be an object')
  const names = Object.keys(value)
  if (names.length > (schema.maxProperties ?? 100)) {
    throw invalidArgument(path, `must have at most ${schema.maxProperties ?? 100} entries`)
  }
  if (!schema.additionalProperties) return value
  return Object.fromEntries(
    names
      .map((name) => [name, readValue(schema.additionalProperties!, value[name], join(path, name), rules)] as const)
      .filter(([, read]) => read !== ABSENT),
  )
}

function readArray(schema: Schema, value: unknown, path: string, rules: Rules): unknown[] {
  if (!Array.isArray(value)) throw invalidArgument(path, 'must be a list')
  if (value.length < (schema.minItems ?? 0)) throw invalidArgument(path, `must have at least ${schema.minItems}`)
  if (value.length > (schema.maxItems ?? 1000))
    throw invalidArgument(path, `must have at most ${schema.maxItems ?? 1000}`)
  return value.map((item, index) => {
    const read = readValue(schema.items!, item, `${path}[${index}]`, rules)
    if (read === ABSENT) throw invalidArgument(`${path}[${index}]`, 'must not be null')
    return read
  })
}

function readWord(words: readonly string[], value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalidArgument(path, 'must be a text')
  const word = words.find((candidate) => candidate.toLowerCase() === value.toLowerCase())
  if (word === undefined) throw invalidArgument(path, `must be one of ${words.join(', ')}`)
  return word
}

function readString(schema: Schema, value: unknown, path: string, rules: Rules): unknown {
  if (schema.format === 'document-content') {
    if (value instanceof DocumentContent) return value
    throw invalidArgument(path, 'must be a Base64 text')
  }
  if (typeof value !== 'string') throw invalidArgument(path, 'must be a text')
  if (rules.nilMeansAbsent && schema.format === 'uuid' && isNilUuid(value)) return ABSENT
  checkLength(schema, value, path)
  const format = schema.format === undefined ? undefined : FORMATS[schema.format]
  if (!format) return value
  const read = format.read(value)
  if (read === undefined) throw invalidArgument(path, format.expected)
  return read
}

function checkLength({ minLength = 0, maxLength = 100_000 }: Schema, value: string, path: string): void {
  // Characters as people count them: an emoji outside the basic plane is one, though it takes two units.
  const length = value.length <= maxLength && value.length >= minLength ? value.length : [...value].length
  if (length < minLength)
    throw invalidArgument(path, minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`)
  if (length > maxLength) throw invalidArgument(path, `must have at most ${maxLength} characters`)
}

function readNumber({ type, minimum, maximum }: Schema, value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw invalidArgument(path, 'must be a number')
  if (type === 'integer' && !Number.isInteger(value)) throw invalidArgument(path, 'must be a whole number')
  if ((minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum)) {
    throw invalidArgument(path, rangeOf(minimum, maximum))
  }
  return value
}

function rangeOf(minimum: number | undefined, maximum: number | undefined): string {
  if (maximum === undefined) return `must be at least ${minimum}`
  return minimum === undefined ? `must be at most ${maximum}` : `must lie between ${minimum} and ${maximum}`
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof DocumentContent)
}

function join(path: string, name: string): string {
  return path === '' || path === 'body' ? name : `${path}.${name}`
}
