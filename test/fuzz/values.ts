// Values for the schemas of the document: most of them right, some of them wrong in one place or another.
import fc from 'fast-check'
import type { JsonSchema } from '../contract/documented.ts'
import { makePdf } from '../small-pdf.ts'
import { hostileValue } from './hostile.ts'

/** Stands for an id that an earlier answer held under that name; which, is known only when the request is sent. */
export const harvestedAs = (name: string) =>
  fc
    .oneof({ weight: 3, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: fc.constant('') })
    .chain((kind) => fc.nat({ max: 100_000 }).map((choice) => `«harvested:${kind}:${choice}»`))

const PDF = makePdf('Fuzzed').toString('base64')
const GOOD_MOMENTS = [
  '2031-01-01T00:00:00Z',
  '2031-01-01T00:00:00',
  '2031-06-01T12:00:00.5+02:00',
  '2001-01-01T00:00:00Z',
]
const GOOD_WORDS = ['None', 'Email', 'sms', 'Link', 'en', 'fi', 'SignatureRequest', 'a.pdf', '+358 40 123 4567']
const GOOD_URIS = ['https://hooks.example.com/', 'http://127.0.0.1/', 'https://localhost:1/x']

/** Made once: it has a table of all characters there are, which takes longer to make than all texts of an operation. */
const anyCharacter = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })

/** What a text must say by rules that no schema tells. */
const GOOD_BY_NAME: Record<string, string[]> = {
  readingAuthenticationStrength: ['None', 'email', 'Weak'],
  signingAuthenticationStrength: ['None', 'EMAIL', 'Basic'],
  deliveryMethods: ['Email', 'link'],
  languageCode: ['en', 'fi', 'sv-FI'],
  language: ['en', 'pt-BR'],
  mobilePhone: ['+358 40 123 4567', '00358401234567'],
  phone: ['+358-40-1234567'],
  fileName: ['a.pdf', 'Sopimus ä.pdf'],
  uri: ['https://hooks.example.com/', 'https://example.com:8443/a?b=c'],
  entityType: ['SignatureRequest', 'document'],
  timezone: ['Europe/Helsinki', 'UTC'],
}

type Resolve = (schema: JsonSchema) => JsonSchema

/** A value for the schema; one in `oddness` of its parts is not what the schema asks for. */
export function valueFor(schema: JsonSchema, resolve: Resolve, oddness: number, name = ''): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: oddness, arbitrary: rightValue(resolve(schema), resolve, oddness, name) },
    { weight: 1, arbitrary: hostileValue },
  )
}

function rightValue(schema: JsonSchema, resolve: Resolve, oddness: number, name: string): fc.Arbitrary<unknown> {
  const choices = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined
  if (choices) return fc.oneof(...choices.map((choice) => valueFor(choice, resolve, oddness, name)))
  if (schema['enum']) return fc.constantFrom(...(schema['enum'] as string[])).chain(inAnyCase)
  switch (typeOf(schema)) {
    case 'object':
      return objectFor(schema, resolve, oddness)
    case 'array':
      return fc.array(valueFor(schema['items'] as JsonSchema, resolve, oddness, name), { maxLength: 3 })
    case 'integer':
    case 'number':
      return numberFor(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return textFor(schema, name)
  }
}

function typeOf({ type }: JsonSchema): unknown {
  return Array.isArray(type) ? type.find((name) => name !== 'null') : type
}

function inAnyCase(word: string): fc.Arbitrary<string> {
  return fc.constantFrom(word, word, word.toLowerCase(), word.toUpperCase())
}

function objectFor(schema: JsonSchema, resolve: Resolve, oddness: number): fc.Arbitrary<unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>
  const required = (schema['required'] ?? []) as string[]
  const known = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, valueFor(inner, resolve, oddness, name)]),
    ),
    { requiredKeys: required },
  )
  const inner = schema['additionalProperties']
  const unknownValue = typeof inner === 'object' ? valueFor(inner as JsonSchema, resolve, oddness) : hostileValue
  const unknown = fc.dictionary(fc.string({ maxLength: 12 }), unknownValue, { maxKeys: 2 })
  return fc.oneof(
    { weight: 4, arbitrary: known },
    { weight: 1, arbitrary: fc.tuple(unknown, known).map(([more, fields]) => ({ ...more, ...fields })) },
  )
}

function numberFor({ minimum, maximum, type }: JsonSchema): fc.Arbitrary<number> {
  const min = typeof minimum === 'number' ? minimum : -2_147_483_648
  const max = typeof maximum === 'number' ? maximum : 2_147_483_647
  const small = fc.integer({ min: Math.max(min, -2), max: Math.min(max, 20) })
  return type === 'number'
    ? fc.double({ min, max, noNaN: true })
    : fc.oneof({ weight: 4, arbitrary: small }, { weight: 1, arbitrary: fc.integer({ min, max }) })
}

function textFor({ format, contentEncoding, maxLength }: JsonSchema, name: string): fc.Arbitrary<string> {
  if (format === 'uuid')
    return fc.oneof({ weight: 6, arbitrary: harvestedAs(name) }, { weight: 1, arbitrary: fc.uuid() })
  if (format === 'date-time') return fc.constantFrom(...GOOD_MOMENTS)
  if (format === 'email') return fc.oneof(fc.constant('aino@example.com'), fc.emailAddress())
  if (contentEncoding === 'base64') return fc.oneof(fc.constant(PDF), fc.base64String({ maxLength: 80 }))
  const good = GOOD_BY_NAME[name]
  if (good) return fc.constantFrom(...good)
  const longest = Math.min(typeof maxLength === 'number' ? maxLength : 300, 600)
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...GOOD_WORDS) },
    { weight: 1, arbitrary: fc.constantFrom(...GOOD_URIS) },
    { weight: 2, arbitrary: harvestedAs(name) },
    { weight: 3, arbitrary: fc.string({ maxLength: Math.min(longest, 40) }) },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: longest }) },
  )
}
