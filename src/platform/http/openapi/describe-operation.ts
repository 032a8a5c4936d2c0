// One route as an operation of the document.
import type { TSchema } from 'typebox'
import type { Route } from '../route.ts'
import { Nothing } from '../schema.ts'
import { describeSchema, type SharedSchemas } from './describe-schema.ts'
import { reference, type Content, type JsonSchema, type Operation, type Parameter, type Response } from './document.ts'
import { credentialsOf, refusalsOf, successHeaders, takesIdempotencyKey } from './shared-parts.ts'
import { ADDITION } from './sub-apis.ts'

const JSON_TYPES = ['application/json', 'application/json-patch+json']
const BINARY: JsonSchema = { type: 'string', format: 'binary' }

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
  const words = summary.replaceAll(/['’]s?\b/g, '').match(/[A-Za-z0-9]+/g) ?? []
  const telling = words.filter((word) => !['a', 'an', 'the'].includes(word.toLowerCase()))
  return telling
    .map((word) => word.toLowerCase())
    .map((word, index) => (index === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('')
}

function describePathParameters(route: Route, shared: SharedSchemas): Parameter[] {
  const names = [...route.url.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  return names.map((name) => ({
    ...describeParameter(name, propertiesOf(route.params)[name] ?? { type: 'string' }, shared),
    in: 'path',
    required: true,
  }))
}

function describeQueryParameters(route: Route, shared: SharedSchemas): Parameter[] {
  const required = (route.query as { required?: string[] } | undefined)?.required ?? []
  return Object.entries(propertiesOf(route.query)).map(([name, schema]) => ({
    ...describeParameter(name, schema, shared),
    in: 'query',
    required: required.includes(name),
  }))
}

/** A parameter carries its schema's description itself. */
function describeParameter(name: string, source: object, shared: SharedSchemas): Omit<Parameter, 'in' | 'required'> {
  const { description, ...schema } = describeSchema(source, shared)
  return { name, ...(typeof description === 'string' && { description }), schema }
}

function propertiesOf(schema: TSchema | undefined): Record<string, object> {
  return (schema as { properties?: Record<string, object> } | undefined)?.properties ?? {}
}

function describeBody(route: Route, shared: SharedSchemas): Operation['requestBody'] {
  if (!route.body) return undefined
  const content =
    route.bodyKind === 'stream' ? { '*/*': { schema: BINARY } } : describeJsonBody(route, route.body, shared)
  return { required: !route.isBodyOptional, content }
}

/** A body has a name of its own, for it appears once for each content type. */
function describeJsonBody(route: Route, body: TSchema, shared: SharedSchemas): Content {
  const id = operationIdOf(route)
  const named = 'title' in body ? body : { ...body, title: `${id[0]!.toUpperCase()}${id.slice(1)}Body` }
  const schema = describeSchema(named, shared)
  return Object.fromEntries(JSON_TYPES.map((type) => [type, { schema }]))
}

function describeAnswers(route: Route, shared: SharedSchemas): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(route.response).map(([status, schema], index) => [
      status,
      {
        description: SUCCESSES[status] ?? 'Done.',
        headers: successHeaders(route),
        ...(schema !== Nothing && { content: describeAnswer(schema, index === 0 ? route.responseType : undefined, shared) }),
      },
    ]),
  )
}

function describeAnswer(schema: TSchema, type: string | undefined, shared: SharedSchemas): Content {
  if (type === undefined) return { 'application/json': { schema: describeSchema(schema, shared) } }
  return { [type]: { schema: BINARY } }
}
