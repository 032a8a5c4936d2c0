import { readFileSync } from 'node:fs'
import { routes } from '#main/routes.ts'
import { describeApi } from '#platform/http/openapi/describe-api.ts'

export const OPENAPI_PATH = 'docs/api/openapi.json'

/** The text of docs/api/openapi.json. */
export function writeOpenApi(): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  return `${JSON.stringify(describeApi(routes, { version }), null, 2)}\n`
}
