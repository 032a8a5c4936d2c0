// What the client needs to know of an operation, taken from its part of the OpenAPI document.
import type {
  Content,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  Response,
} from '#platform/http/openapi/document.ts'

export type OperationFacts = {
  name: string
  method: string
  path: string
  said: string
  pathFields: Parameter[]
  queryFields: Parameter[]
  /** The schema of a JSON body. */
  body: JsonSchema | undefined
  bodyFields: string[]
  isBodyRequired: boolean
  sendsBytes: boolean
  answersBytes: boolean
  /** The schemas of JSON answers. */
  answers: JsonSchema[]
  mayAnswerNothing: boolean
  takesIdempotencyKey: boolean
  /** The query parameters by which the next page is asked for, and how long pages are. */
  paging: { next: string; size: string } | undefined
}

const NEXT_PARAMETERS = new Set(['skip', 'continuationtoken', 'before', 'after'])
const SIZE_PARAMETERS = new Set(['take', 'pagesize'])

/** The facts of every operation that a program calls, in the document's order. */
export function operationFacts(document: OpenApiDocument): OperationFacts[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      // Where a browser is only sent on to elsewhere, there is nothing for a program.
      .filter(([, operation]) => successesOf(document, operation).length > 0)
      .map(([method, operation]) => factsOf(document, { method, path, operation })),
  )
}

type Place = { method: string; path: string; operation: Operation }

function factsOf(document: OpenApiDocument, { method, path, operation }: Place): OperationFacts {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter))
  const queryFields = parameters.filter((parameter) => parameter.in === 'query')
  const body = operation.requestBody?.content['application/json']?.schema
  const successes = successesOf(document, operation)
  const contents = successes.map(({ content }) => content).filter((content) => content !== undefined)
  return {
    name: operation.operationId,
    method: method.toUpperCase(),
    path,
    said: [`${operation.summary}.`, operation.description].filter(Boolean).join(' '),
    pathFields: parameters.filter((parameter) => parameter.in === 'path'),
    queryFields,
    body,
    bodyFields: body ? Object.keys(resolve<{ properties?: object }>(document, body).properties ?? {}) : [],
    isBodyRequired: operation.requestBody?.required ?? false,
    sendsBytes: operation.requestBody !== undefined && body === undefined,
    answersBytes: contents.some((content) => !('application/json' in content)),
    answers: contents.flatMap((content: Content): JsonSchema[] =>
      content['application/json'] ? [content['application/json'].schema] : [],
    ),
    mayAnswerNothing: successes.some(({ content }) => content === undefined),
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    paging: pagingOf(queryFields),
  }
}

function pagingOf(queryFields: Parameter[]): OperationFacts['paging'] {
  const next = queryFields.find(({ name }) => NEXT_PARAMETERS.has(name.toLowerCase()))?.name
  const size = queryFields.find(({ name }) => SIZE_PARAMETERS.has(name.toLowerCase()))?.name
  return next !== undefined && size !== undefined ? { next, size } : undefined
}

/** 304 is not among them: who asks whether something has changed sets headers and reads the response by hand. */
function successesOf(document: OpenApiDocument, { responses }: Operation): Response[] {
  return Object.entries(responses)
    .filter(([status]) => status < '300')
    .map(([, response]) => resolve<Response>(document, response))
}

function resolve<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  if (!('$ref' in value)) return value
  const [kind, name] = value.$ref.split('/').slice(-2) as [keyof OpenApiDocument['components'], string]
  return document.components[kind][name] as unknown as T
}
