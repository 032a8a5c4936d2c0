// TypeScript types from the JSON Schemas of the OpenAPI document.
import type { JsonSchema } from '#platform/http/openapi/document.ts'

type Properties = Record<string, JsonSchema>

/** The type that a schema describes, as TypeScript; lines after the first are indented by `indent`. */
export function typeText(schema: JsonSchema, indent = ''): string {
  const { $ref: reference, enum: words, const: only, anyOf, type } = schema
  if (typeof reference === 'string') return typeName(reference.split('/').at(-1)!)
  if (Array.isArray(words)) return words.map((word) => literalText(word)).join(' | ')
  if (only !== undefined) return literalText(only)
  if (Array.isArray(anyOf)) return anyOf.map((choice) => typeText(choice as JsonSchema, indent)).join(' | ')
  if (Array.isArray(type)) return type.map((one) => plainTypeText(schema, String(one), indent)).join(' | ')
  return type === undefined ? 'unknown' : plainTypeText(schema, type as string, indent)
}

/** The name of a schema as a type; `Error` would hide the one that everybody knows. */
export function typeName(name: string): string {
  return name === 'Error' ? 'ErrorBody' : name
}

function plainTypeText(schema: JsonSchema, type: string, indent: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return arrayText(schema, indent)
    case 'object':
      return objectText(schema, indent)
    default:
      throw new Error(`the client has no type for ${type}`)
  }
}

function arrayText({ items }: JsonSchema, indent: string): string {
  const item = typeText((items ?? {}) as JsonSchema, indent)
  return /[|&]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}

function objectText(schema: JsonSchema, indent: string): string {
  const { properties, required = [], additionalProperties } = schema
  if (properties !== undefined) return fieldsText(properties as Properties, required as string[], indent)
  if (typeof additionalProperties !== 'object') return 'Record<string, unknown>'
  return `Record<string, ${typeText(additionalProperties as JsonSchema, indent)}>`
}

function fieldsText(properties: Properties, required: string[], indent: string): string {
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) =>
    fieldText({ name, isRequired: required.includes(name), schema, indent: inner }),
  )
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}${indent}}`
}

export type Field = { name: string; isRequired: boolean; schema: JsonSchema; indent: string; description?: string }

/** One field of an object, with what is said of it as a comment. */
export function fieldText({ name, isRequired, schema, indent, description }: Field): string {
  const said = description ?? schema['description']
  const comment = typeof said === 'string' ? commentText(said, indent) : ''
  return `${comment}${indent}${nameText(name)}${isRequired ? '' : '?'}: ${typeText(schema, indent)}\n`
}

export function commentText(text: string, indent = ''): string {
  return `${indent}/** ${text.replaceAll('*/', '*\u200B/').replaceAll(/\s+/g, ' ')} */\n`
}

function nameText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
}

function literalText(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : JSON.stringify(value)
}
