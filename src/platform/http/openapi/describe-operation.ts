// One route as an operation of the document.
import type { TSchema } from 'typebox'
import type { Route } from '../route.ts'
import { Nothing } from '../schema.ts'
import { describeSchema, type SharedSchemas } from './describe-schema.ts'
import { reference, type Content, type JsonSchema, type Operation, type Parameter, type Response } from './document.ts'
import { credentialsOf, refusalsOf, successHeaders, takesIdempotencyKey } from './shared-parts.ts'
import { ADDITION } from './sub-apis.ts'

const JSON_TYPES = ['application/json', 'application/json-patch+json']
const ANY_BYTES = 'application/octet-stream'
const BYTES: JsonSchema = { type: 'string', format: 'binary' }
const FORM: Content = {
  'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file: BYTES } } },
}

type ObjectSchema = { properties?: Record<string, object>; required?: readonly string[] }
type BytesSchema = { format?: string; contentMediaType?: string; description?: string }

const SUCCESSES: Record<string, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: everything is stored.',
  204: 'There is nothing to answer with.',
  206: 'The part that was asked for.',
  304: 'What the caller has is still right.',
}

/** Describes the operation; schemas that it shares with others go to `shared`. */
export function describeOperation(route: Route, shared: SharedSchemas): Operation {
  const parameters = [
    ...describePathParameters(route, shared),
    ...describeQueryParameters(route, shared),
    ...(takesIdempotencyKey(route) ? [reference('parameters', 'IdempotencyKey')] : []),
  ]
  const requestBody = describeBody(route, shared)
  return {
    operationId: operationIdOf(route),
    tags: route.operation === undefined ? [route.tag, ADDITION] : [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.operation !== undefined && { 'x-operation': route.operation }),
    'x-permission': route.permission,
    security: credentialsOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...describeAnswers(route, shared), ...refusalsOf(route) },
  }
}

/** The summary as one word: "Cancel a signature request" becomes cancelSignatureRequest. */
export function operationIdOf({ summary }: Pick<Route, 'summary'>): string {
  // What follows a comma only explains, as in "List users, newest first"; in "Add, change or remove" it does not.
  const name = /^(\S+ [^,]+),/.exec(summary)?.[1] ?? summary
  const words = name.replaceAll(/['’]s?(?=\W|$)/g, '').match(/[A-Za-z0-9]+/g) ?? []
  return words
    .map((word) => word.toLowerCase())
    .filter((word) => !['a', 'an', 'the'].includes(word))
    .map((word, index) => (index === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('')
}

function describePathParameters({ url, params }: Route, shared: SharedSchemas): Parameter[] {
  const names = [...url.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  const { properties = {} }: ObjectSchema = params ?? {}
  return names.map((name) =>
    describeParameter({ name, in: 'path', required: true }, properties[name] ?? { type: 'string' }, shared),
  )
}

function describeQueryParameters({ query }: Route, shared: SharedSchemas): Parameter[] {
  const { properties = {}, required = [] }: ObjectSchema = query ?? {}
  return Object.entries(properties).map(([name, schema]) =>
    describeParameter({ name, in: 'query', required: required.includes(name) }, schema, shared),
  )
}

/** A parameter carries its schema's description itself. */
function describeParameter(place: Omit<Parameter, 'schema'>, source: object, shared: SharedSchemas): Parameter {
  const { description, ...schema } = describeSchema(source, shared)
  return { ...place, ...(typeof description === 'string' && { description }), schema }
}

function describeBody(route: Route, shared: SharedSchemas): Operation['requestBody'] {
  if (!route.body) return undefined
  const required = !route.isBodyOptional
  if (route.bodyKind !== 'stream') return { required, content: describeJsonBody(route, route.body, shared) }
  const { contentMediaType = ANY_BYTES, description } = route.body as BytesSchema
  const content = { [contentMediaType]: { schema: BYTES }, ...(route.takesForm && FORM) }
  return { required, ...(description && { description }), content }
}

/** A body has a name of its own, for it appears once for each content type. */
function describeJsonBody(route: Route, body: TSchema, shared: SharedSchemas): Content {
  const id = operationIdOf(route)
  const named = 'title' in body ? body : { ...body, title: `${id[0]!.toUpperCase()}${id.slice(1)}Body` }
  const schema = describeSchema(named, shared)
  return Object.fromEntries(JSON_TYPES.map((type) => [type, { schema }]))
}

function describeAnswers(route: Route, shared: SharedSchemas): Record<string, Response> {
  const described = Object.entries(route.response).map(([status, schema], index) => {
    const description = SUCCESSES[status] ?? SUCCESSES[200]!
    const others = index === 0 ? describeForms(route, shared) : {}
    const content =
      schema === Nothing ? undefined : { ...describeAnswer(schema, route.responseType, shared), ...others }
    return [status, { description, headers: successHeaders(route), ...(content && { content }) }] as const
  })
  return Object.fromEntries(described)
}

function describeForms({ otherForms = {} }: Route, shared: SharedSchemas): Content {
  const forms = Object.entries(otherForms)
  return Object.fromEntries(forms.map(([type, schema]) => [type, { schema: describeSchema(schema, shared) }]))
}

function describeAnswer(schema: TSchema, type: string | undefined, shared: SharedSchemas): Content {
  if ((schema as BytesSchema).format === 'binary') return { [type ?? ANY_BYTES]: { schema: BYTES } }
  return { [type ?? 'application/json']: { schema: describeSchema(schema, shared) } }
}
