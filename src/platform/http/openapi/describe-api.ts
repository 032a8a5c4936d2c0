// The whole API as an OpenAPI 3.1 document, from the same values that register the routes and check the calls.
import type { Route } from '../route.ts'
import { ErrorBody } from '../schema.ts'
import { describeOperation } from './describe-operation.ts'
import { describeSchema, type SharedSchemas } from './describe-schema.ts'
import type { OpenApiDocument, PathItem } from './document.ts'
import { HEADERS, IDEMPOTENCY_KEY, SECURITY_SCHEMES, sharedResponses } from './shared-parts.ts'
import { ADDITION, ADDITION_DESCRIPTION, SUB_APIS } from './sub-apis.ts'

export type ApiDescription = {
  version: string
  /** Where the API answers; without it, the place that the document came from. */
  serverUrl?: string
}

const DESCRIPTION = `Electronic signatures: send documents, have them signed and sealed, and prove it years later.

Every call carries the header \`Ocp-Apim-Subscription-Key\`. Where a bearer token is optional, one that is sent is always checked, and narrows the call to the department and role of its user.

- **Bodies** are JSON in UTF-8; \`application/json\`, \`application/json-patch+json\` and no Content-Type at all are read alike. Unknown fields have no effect. \`null\` and the nil UUID mean that a field is absent, unless its description says otherwise.
- **Words** from a list, and the names of query parameters, are read without regard to case. UUIDs are read in any case and written in lower case.
- **Dates** are ISO 8601; without an offset they are UTC. Answers have UTC with milliseconds.
- **Paths** mean the same with and without a slash at their end.
- **Answers** name every field; one without a value is \`null\`.
- **Refusals** have the body \`{code, classification, message}\`. A code has one meaning, for good.
- **Repeats**: any write may carry an \`Idempotency-Key\`.`

/** Describes all routes, in their order. Throws where two would have the same name or place. */
export function describeApi(routes: readonly Route[], { version, serverUrl = '/' }: ApiDescription): OpenApiDocument {
  const shared: SharedSchemas = new Map()
  describeSchema({ ...ErrorBody, title: 'Error' }, shared)
  const paths = describePaths(routes, shared)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Countersign',
      version,
      summary: 'The API of Countersign, a self-hosted platform for electronic signatures.',
      description: DESCRIPTION,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: describeTags(routes),
    paths,
    components: {
      schemas: sortedByName(shared),
      responses: sharedResponses(),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

function describePaths(routes: readonly Route[], shared: SharedSchemas): OpenApiDocument['paths'] {
  const paths: Record<string, PathItem> = {}
  const ids = new Set<string>()
  for (const route of routes) {
    const operation = describeOperation(route, shared)
    if (ids.has(operation.operationId)) throw new Error(`two operations are called ${operation.operationId}`)
    ids.add(operation.operationId)
    const path = (paths[documentPath(route)] ??= {})
    const method = route.method.toLowerCase()
    if (method in path) throw new Error(`two operations are at ${route.method} ${route.url}`)
    path[method] = operation
  }
  return paths
}

/** The address as the document writes it: parameters in braces. */
export function documentPath({ url }: Pick<Route, 'url'>): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}

function describeTags(routes: readonly Route[]): OpenApiDocument['tags'] {
  const used = new Set(routes.map((route) => route.tag))
  const unknown = [...used].find((tag) => !(tag in SUB_APIS))
  if (unknown !== undefined) throw new Error(`the tag ${unknown} is not in the list of sub-APIs`)
  const tags = Object.entries(SUB_APIS).filter(([name]) => used.has(name))
  return [...tags, [ADDITION, ADDITION_DESCRIPTION] as const].map(([name, description]) => ({ name, description }))
}

function sortedByName(shared: SharedSchemas): OpenApiDocument['components']['schemas'] {
  const byName = [...shared].sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(byName.map(([name, { described }]) => [name, described]))
}
