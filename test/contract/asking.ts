// Makes calls from the rows of the table, and holds every answer against what the document promises.
import assert from 'node:assert/strict'
import { routes } from '#main/routes.ts'
import { PERMISSIONS } from '#platform/auth/permissions.ts'
import { routeName, type Route } from '#platform/http/route.ts'
import { ErrorBody } from '#platform/http/schema.ts'
import { Check } from 'typebox/value'
import type { Caller, Reply, TestTenant } from '../service.ts'
import { isDocumented } from './documented.ts'
import { OPERATIONS, type Row } from './operations.ts'
import type { Place, Things } from './world.ts'

export type Asked = {
  things?: Things
  /** Instead of the row's own body. */
  body?: unknown
  raw?: string | Buffer
  headers?: Record<string, string>
  path?: string
  query?: string
}

/** The row of a route; throws for a route that nobody has written one for. */
export function rowOf(route: Route): Row {
  const row = OPERATIONS[routeName(route)]
  if (!row) throw new Error(`${routeName(route)} has no row in test/contract/operations.ts`)
  return row
}

/** Every route but what signatories call, what is published and a person's own sessions: those have tests of their own. */
export const walked = routes.filter(({ url }) => !/^\/(sign|pki|log|console)\//.test(url))

export function pathOf({ url }: Route, ids: Record<string, string>): string {
  return url.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(ids[name] ?? ''))
}

/** True where a key alone is not enough: then the department's administrator calls with it. */
export function needsPerson(route: Route): boolean {
  const allowed: readonly string[] = PERMISSIONS[route.permission]
  return route.needsToken === true || !allowed.includes('key')
}

/** Calls as whoever may in that department. */
export function callerOf(route: Route, { department, asAdministrator }: Place): Caller {
  if (!needsPerson(route)) return department.call
  return (method, path, body, options = {}) =>
    department.call(method, path, body, { ...options, headers: { ...asAdministrator, ...options.headers } })
}

/** Calls as whoever may in the whole tenant. */
export function tenantCallerOf(route: Route, tenant: TestTenant): Caller {
  return needsPerson(route) ? tenant.asAdministrator : tenant.call
}

/** Makes the call and requires a documented status and, for a refusal, the error body and a request id. */
export async function ask(call: Caller, route: Route, asked: Asked): Promise<Reply> {
  const row = rowOf(route)
  const path = asked.path ?? pathOf(route, asked.things ? (row.ids?.(asked.things) ?? {}) : {})
  const raw = asked.raw ?? (asked.body === undefined ? row.raw : undefined)
  const reply = await call(route.method, path + (asked.query ?? ''), asked.body, {
    ...(raw !== undefined && { raw }),
    ...(asked.headers && { headers: asked.headers }),
  })
  const told = `${routeName(route)} answered ${reply.status} ${reply.text.slice(0, 300)}`
  assert.ok(isDocumented(route, reply.status), `undocumented: ${told}`)
  assert.match(reply.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, told)
  if (reply.status >= 400) assert.ok(Check(ErrorBody, reply.json), told)
  return reply
}

/** The status of a refused caller: the interface's list for onboarding has no 403. */
export function forbidden(route: Route): number {
  return route.errorStatuses?.forbidden ?? 403
}

/** Requires a refusal of that kind. */
export function requireRefusal({ status, json, text }: Reply, expected: { status: number; classification: string }) {
  assert.deepEqual({ status, classification: json?.classification }, expected, text)
}
