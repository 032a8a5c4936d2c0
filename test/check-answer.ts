// Holds an answer of the service against the schema that its route declares, so that no test passes on a wrong shape.
import { Readable } from 'node:stream'
import type { Answer, Route } from '#platform/http/route.ts'
import { routeName } from '#platform/http/route.ts'
import { Check, Errors } from 'typebox/value'

export function checkAnswer(route: Route, { status, body }: Answer): void {
  if (status >= 400) return
  const schema = route.response[status]
  if (!schema) throw new Error(`${routeName(route)}: the status ${status} is not declared`)
  if (body instanceof Readable || Buffer.isBuffer(body) || typeof body === 'string') return
  const value = body === undefined ? null : JSON.parse(JSON.stringify(body))
  if (!Check(schema, value)) {
    throw new Error(
      `${routeName(route)}: the answer breaks its schema: ${JSON.stringify(Errors(schema, value).slice(0, 3))}`,
    )
  }
}
