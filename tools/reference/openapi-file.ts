import { readFileSync } from 'node:fs'
import { routes } from '#main/routes.ts'
import { describeApi } from '#platform/http/openapi/describe-api.ts'
import type { OpenApiDocument } from '#platform/http/openapi/document.ts'

export const OPENAPI_PATH = 'docs/api/openapi.json'

/** The document of docs/api/openapi.json. */
export function currentApi(): OpenApiDocument {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  return describeApi(routes, { version })
}

/** The text of docs/api/openapi.json. */
export function writeOpenApi(): string {
  return `${JSON.stringify(currentApi(), null, 2)}\n`
}
