// Requests for one operation of the document, as plans: what is in them is settled by the seed, but for the ids that
// earlier answers are harvested for.
import fc from 'fast-check'
import type { ApiDocument, DocumentedOperation, DocumentedParameter, JsonSchema } from '../contract/documented.ts'
import { makePdf } from '../small-pdf.ts'
import { HOSTILE_STRINGS, toJson } from './hostile.ts'
import { harvestedAs, valueFor } from './values.ts'

export type FuzzedOperation = { method: string; path: string; operation: DocumentedOperation; document: ApiDocument }

export type Plan = {
  method: string
  /** With its query, percent-encoded but for the ids that are still to be harvested. */
  address: string
  headers: Record<string, string>
  body: Buffer | undefined
  /** Why no service may accept it; undefined where it might. */
  flaw: string | undefined
}

const ODDNESSES = [10, 40, 1_000]
const LONGEST_IN_ADDRESS = 1_500
const BODY_TYPES = [
  'application/json',
  'application/json',
  'application/json-patch+json',
  'application/json; charset=utf-8',
  '',
]
const WRONG_TYPES = ['text/plain', 'application/xml', 'multipart/form-data', 'application/json; charset=latin1', ';;;']

const ODD_SEGMENTS = ['..%2f..%2fetc%2fpasswd', '%2e%2e', '..%5c', '%252e', '%c0%ae', '%00', 'C:%5c', '%ff', '%']

/** All operations of a document. */
export function operationsOf(document: ApiDocument): FuzzedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      document,
    })),
  )
}

export function schemaResolver({ components }: ApiDocument): (schema: JsonSchema) => JsonSchema {
  return (schema) => {
    const name = /^#\/components\/schemas\/(.+)$/.exec((schema['$ref'] as string | undefined) ?? '')?.[1]
    return name === undefined ? schema : components.schemas[name]!
  }
}

/** Plans of requests for an operation. */
export function requestFor(fuzzed: FuzzedOperation): fc.Arbitrary<Plan> {
  const { method, operation } = fuzzed
  return fc
    .record({ address: addressFor(fuzzed), extra: extraHeaders, content: contentFor(fuzzed) })
    .map(({ address, extra, content: { body, type, flaw } }) => ({
      method,
      address,
      headers: { ...extra, ...(body && type && { 'content-type': type }) },
      body,
      // What is wrong with a body that is not read harms nobody.
      flaw: operation.requestBody ? flaw : undefined,
    }))
}

const extraHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.nat({ max: 20 }).map((n) => ({ 'idempotency-key': `fuzz ${n}` })) },
  { weight: 1, arbitrary: fc.constantFrom('', 'x'.repeat(256), '\u00ff').map((key) => ({ 'idempotency-key': key })) },
  { weight: 1, arbitrary: fc.constantFrom('bytes=0-0', 'bytes=-1', 'bytes=9-1', 'x').map((range) => ({ range })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('*', '"x"', 'W/"1"', 'x').map((tag) => ({ 'if-match': tag, 'if-none-match': tag })),
  },
)

type Place = DocumentedParameter['in']

function parametersIn({ operation, document }: FuzzedOperation, place: Place): DocumentedParameter[] {
  return (operation.parameters ?? [])
    .map((parameter) =>
      '$ref' in parameter ? document.components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
    )
    .filter((parameter) => parameter.in === place)
}

function addressFor(fuzzed: FuzzedOperation): fc.Arbitrary<string> {
  const names = parametersIn(fuzzed, 'path').map(({ name }) => name)
  const segments = fc.tuple(...names.map((name) => segmentFor(name === 'id' ? nounOf(fuzzed.path) : name)))
  return fc.tuple(segments, queryFor(fuzzed)).map(([values, query]) => {
    const path = fuzzed.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[names.indexOf(name)]!)
    return query === '' ? path : `${path}?${query}`
  })
}

/** The last word of a path before its first parameter: what an `id` there is the id of. */
export function nounOf(path: string): string {
  const noun = /\/([a-z]+)(?:\/\{|$)/.exec(path)?.[1] ?? ''
  return noun === 'profile' ? 'user' : noun
}

/** A part of a path: never empty, which would be another address. */
function segmentFor(name: string): fc.Arbitrary<string> {
  if (name === 'entityType') return fc.constantFrom('SignatureRequest', 'signaturerequest', 'document', 'SIGNEE', 'x')
  return fc.oneof(
    { weight: 12, arbitrary: harvestedAs(name) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_SEGMENTS) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...HOSTILE_STRINGS)
        .map(inAddress)
        .filter((text) => text !== ''),
    },
  )
}

function queryFor(fuzzed: FuzzedOperation): fc.Arbitrary<string> {
  const resolve = schemaResolver(fuzzed.document)
  const pairs = parametersIn(fuzzed, 'query').map(({ name, schema }) =>
    fc.option(
      fc
        .tuple(fc.constantFrom(name, name.toLowerCase(), name.toUpperCase()), valueFor(schema, resolve, 6, name))
        .map(
          ([spelled, value]) => `${spelled}=${inAddress(typeof value === 'string' ? value : JSON.stringify(value))}`,
        ),
      { nil: undefined, freq: 1 },
    ),
  )
  const unknown = fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__=1', 'unknown', '=&=', '%F0%9F=1') },
  )
  return fc.tuple(...pairs, unknown, fc.nat({ max: 15 })).map((parts) => {
    const present = parts.slice(0, -1).filter((part) => part !== undefined)
    // Now and then a name is given twice.
    return [...present, ...(parts.at(-1) === 0 ? present.slice(0, 1) : [])].join('&')
  })
}

/** A text for an address. Lone surrogates have no percent-encoding; the markers of harvested ids stay readable. */
function inAddress(text: string): string {
  if (text.startsWith('«harvested:')) return text
  return encodeURIComponent(text.toWellFormed().slice(0, LONGEST_IN_ADDRESS).toWellFormed())
}

type Content = { body: Buffer | undefined; type: string; flaw: string | undefined }

function contentFor({ operation, document, method }: FuzzedOperation): fc.Arbitrary<Content> {
  if (method === 'GET') return fc.constant({ body: undefined, type: '', flaw: undefined })
  const schema = operation.requestBody?.content['application/json']?.schema
  if (!schema) return bytes
  // Some bodies are right in every part, for else hardly any long one would be accepted.
  const json = fc.oneof(...ODDNESSES.map((oddness) => valueFor(schema, schemaResolver(document), oddness))).map(toJson)
  const type = fc.constantFrom(...BODY_TYPES)
  const readable = fc.tuple(json, type).map(([text, type]) => ({ body: Buffer.from(text), type, flaw: flawIn(text) }))
  return fc.oneof({ weight: 9, arbitrary: readable }, { weight: 1, arbitrary: json.chain(broken) })
}

const PDF = makePdf('Fuzzed')

/** A file, a file with a few bytes changed, anything else. */
const file: fc.Arbitrary<Buffer | undefined> = fc.oneof(
  fc.constant(PDF),
  fc
    .array(fc.tuple(fc.nat({ max: PDF.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 })
    .map(changed),
  fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
  fc.constant(undefined),
)

function changed(changes: [at: number, byte: number][]): Buffer {
  const copy = Buffer.from(PDF)
  for (const [at, byte] of changes) copy[at] = byte
  return copy
}

const bytes: fc.Arbitrary<Content> = fc.record({
  body: file,
  type: fc.constantFrom('application/pdf', 'application/octet-stream', 'multipart/form-data; boundary=x', 'x', ''),
  flaw: fc.constant(undefined),
})

/** JSON with something in it that must never be accepted. */
function flawIn(json: string): string | undefined {
  if (/\\u0000/.test(json)) return 'it has a NUL'
  if (/\\ud[89a-f]/.test(json)) return 'it has half a character'
  return undefined
}

/** A body that can't be read, made from one that can. */
function broken(json: string): fc.Arbitrary<Content> {
  const text = Buffer.from(json)
  const type = 'application/json'
  return fc.constantFrom<Content[]>(
    { body: text.subarray(0, -1), type, flaw: 'it is cut short' },
    { body: Buffer.concat([text, Buffer.from('x')]), type, flaw: 'something follows it' },
    { body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text]), type, flaw: 'it begins with a byte order mark' },
    { body: Buffer.from(json, 'utf16le'), type, flaw: 'it is UTF-16' },
    { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), type, flaw: 'it is not UTF-8' },
    { body: Buffer.from('{"a":1,"a":2}'), type, flaw: 'a name is there twice' },
    { body: Buffer.from('{"__proto__":{"isAdmin":true}}'), type, flaw: 'it has __proto__' },
    { body: Buffer.from(`{"x":${'['.repeat(40)}${']'.repeat(40)}}`), type, flaw: 'it is too deep' },
    { body: Buffer.from('[]'), type, flaw: 'it is a list' },
    ...WRONG_TYPES.map((wrong) => ({ body: text, type: wrong, flaw: `its type is ${wrong}` })),
  )
}

/** The ids of a plan, put in. */
export function withHarvest(plan: Plan, pick: (name: string, choice: number) => string): Plan {
  const fill = (text: string, write: (id: string) => string) =>
    text.replaceAll(/«harvested:(\w*):(\d+)»/g, (_whole, name: string, choice: string) =>
      write(pick(name, Number(choice))),
    )
  const inJson = (id: string) => JSON.stringify(id).slice(1, -1)
  const body = plan.body?.includes('«harvested:') ? Buffer.from(fill(plan.body.toString(), inJson)) : plan.body
  return { ...plan, address: fill(plan.address, encodeURIComponent), body }
}
