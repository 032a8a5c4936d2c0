// What docs/api/openapi.json promises about each route, by the route's name.
import { readFileSync } from 'node:fs'
import { routeName, type Route } from '#platform/http/route.ts'

export type JsonSchema = { readonly [word: string]: unknown }
export type DocumentedParameter = { name: string; in: 'path' | 'query' | 'header'; schema: JsonSchema }
export type DocumentedOperation = {
  parameters?: (DocumentedParameter | { $ref: string })[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }>; $ref?: string }>
}
export type ApiDocument = {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, JsonSchema>; parameters: Record<string, DocumentedParameter> }
}

export const apiDocument = JSON.parse(readFileSync('docs/api/openapi.json', 'utf8')) as ApiDocument

/** The operation that the document has for a route; throws for a route that is not documented. */
export function documentedOperation(route: Pick<Route, 'method' | 'url'>): DocumentedOperation {
  const path = route.url.replaceAll(/:(\w+)/g, '{$1}')
  const found = apiDocument.paths[path]?.[route.method.toLowerCase()]
  if (!found) throw new Error(`${routeName(route)} is not in docs/api/openapi.json`)
  return found
}

export function isDocumented(route: Pick<Route, 'method' | 'url'>, status: number): boolean {
  return String(status) in documentedOperation(route).responses
}
