// From the schemas that check calls to the ones that the document shows. What only our own reader knows (formats and
// keys of ours) becomes words or standard keywords, and a keyword that is not known here is refused, not passed on.
import { reference, type JsonSchema } from './document.ts'

/** Where schemas with a title are collected, to be referred to by it. */
export type SharedSchemas = Map<string, { source: object; described: JsonSchema }>

type Source = Record<string, unknown>
type Describe = (schema: object) => JsonSchema

const COPIED = [
  'type',
  'format',
  'enum',
  'const',
  'default',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
  'deprecated',
  'examples',
  'contentEncoding',
  'contentMediaType',
] as const

const TRANSLATED = new Set([
  'title',
  'description',
  'properties',
  'items',
  'anyOf',
  'patternProperties',
  'additionalProperties',
  'eitherInitial',
  'keepsNull',
])

/** Formats that JSON Schema does not know, as keywords that it does. */
const OWN_FORMATS: Record<string, JsonSchema> = {
  'document-content': { contentEncoding: 'base64' },
  phone: { description: 'A phone number such as +358401234567; spaces, hyphens and a leading 00 are read as well.' },
  'file-name': { description: 'Without path separators and control characters.' },
  language: { description: 'A BCP 47 language tag such as en, fi or sv-FI.' },
}

const LEAST_INT32 = -(2 ** 31)
const GREATEST_INT32 = 2 ** 31 - 1

const EITHER_INITIAL = 'Each name may also be written with the other case of its initial letter.'

/** The schema as the document shows it; one with a title goes to the shared schemas and is referred to. */
export function describeSchema(schema: object, shared: SharedSchemas): JsonSchema {
  const { title } = schema as Source
  if (typeof title !== 'string') return describePlain(schema as Source, (part) => describeSchema(part, shared))
  const known = shared.get(title)
  if (known === undefined) {
    const entry = { source: schema, described: {} as JsonSchema }
    shared.set(title, entry)
    entry.described = describePlain(schema as Source, (part) => describeSchema(part, shared))
  } else if (JSON.stringify(known.source) !== JSON.stringify(schema)) {
    throw new Error(`two schemas have the title ${title}`)
  }
  return reference('schemas', title)
}

function describePlain(source: Source, describe: Describe): JsonSchema {
  refuseUnknown(source)
  const result: JsonSchema = {}
  for (const keyword of COPIED) if (source[keyword] !== undefined) result[keyword] = source[keyword]
  describeParts(source, result, describe)
  translateFormat(result)
  leaveOutInt32Range(result)
  describeInWords(source, result)
  if (source['keepsNull']) return allowNull(result)
  return result
}

function refuseUnknown(source: Source): void {
  const unknown = Object.keys(source).find(
    (keyword) => !TRANSLATED.has(keyword) && !(COPIED as readonly string[]).includes(keyword),
  )
  if (unknown !== undefined) throw new Error(`the OpenAPI document can not show the schema keyword ${unknown}`)
}

function describeParts(source: Source, result: JsonSchema, describe: Describe): void {
  const { properties, items, anyOf, patternProperties, additionalProperties } = source
  if (properties) {
    const named = Object.entries(properties as Record<string, object>)
    result['properties'] = Object.fromEntries(named.map(([name, part]) => [name, describe(part)]))
  }
  if (items) result['items'] = describe(items)
  if (anyOf) Object.assign(result, describeChoice((anyOf as object[]).map(describe)))
  if (typeof additionalProperties === 'object') result['additionalProperties'] = describe(additionalProperties!)
  else if (additionalProperties !== undefined) result['additionalProperties'] = additionalProperties
  // A record of texts has one pattern, for any name at all.
  if (patternProperties) result['additionalProperties'] = describe(Object.values(patternProperties)[0] as object)
}

/** "This or null" is written as a second type where there is only one other choice. */
function describeChoice(choices: JsonSchema[]): JsonSchema {
  const others = choices.filter((choice) => choice['type'] !== 'null')
  if (others.length === choices.length) return { anyOf: choices }
  return others.length === 1 ? allowNull(others[0]!) : { anyOf: [...others, { type: 'null' }] }
}

function allowNull(schema: JsonSchema): JsonSchema {
  const { type } = schema
  if (typeof type !== 'string') return '$ref' in schema ? { anyOf: [schema, { type: 'null' }] } : schema
  const words = schema['enum'] as unknown[] | undefined
  return { ...schema, type: [type, 'null'], ...(words && { enum: [...words, null] }) }
}

function translateFormat(result: JsonSchema): void {
  const own = OWN_FORMATS[String(result['format'])]
  if (own === undefined) return
  delete result['format']
  Object.assign(result, own)
}

/** The format says it already, and tools would take the lowest number for an example. */
function leaveOutInt32Range(result: JsonSchema): void {
  if (result['format'] !== 'int32') return
  if (result['minimum'] === LEAST_INT32) delete result['minimum']
  if (result['maximum'] === GREATEST_INT32) delete result['maximum']
}

function describeInWords(source: Source, result: JsonSchema): void {
  const words = [source['description'] ?? result['description'], source['eitherInitial'] && EITHER_INITIAL]
  const description = words.filter(Boolean).join(' ')
  if (description !== '') result['description'] = description
}
