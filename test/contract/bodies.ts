// Bodies made from the schemas of the routes: the references in them, and every way to get a field's type wrong.
import type { Route } from '#platform/http/route.ts'
import type { Things } from './world.ts'

type Schema = { type?: string; format?: string; enum?: unknown; properties?: Record<string, Schema>; anyOf?: Schema[] }

/** Which thing a field of a body points at. */
export const REFERENCES: Record<string, keyof Things> = {
  departmentId: 'departmentId',
  parentDepartmentId: 'departmentId',
  creatorId: 'userId',
  signatureRequestTemplateId: 'signingTemplateId',
  sealingRequestTemplateId: 'sealingTemplateId',
  documentURI: 'documentUri',
  templateUri: 'documentUri',
}

/** Ids that are stored and returned but point at nothing of ours, the request's own, and the tenant's (a test of its own). */
const NO_REFERENCES = new Set(['documentTypeId', 'referenceId', 'id', 'tenantId'])

/** The paths of the fields that point at a thing; throws for a UUID that nobody has said what it points at. */
export function referencesIn(route: Route): string[][] {
  return leavesOf(route.body as unknown as Schema).flatMap(({ path, schema }) => {
    const name = path.at(-1)!
    if (name in REFERENCES) return [path]
    if (schema.format === 'uuid' && !NO_REFERENCES.has(name)) throw new Error(`what does ${name} point at?`)
    return []
  })
}

function leavesOf(schema: Schema, path: string[] = []): { path: string[]; schema: Schema }[] {
  if (!schema.properties) return [{ path, schema }]
  return Object.entries(schema.properties).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
}

/** The body with one field set, everything else as it was. */
export function withValueAt(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  const fields = body as Record<string, unknown>
  return { ...fields, [name!]: rest.length === 0 ? value : withValueAt(fields[name!], rest, value) }
}

/** Texts that are no body of this route, the rest of each as it should be. */
export function wrongBodies(route: Route, valid: unknown): string[] {
  const wrongFields = leavesOf(route.body as unknown as Schema).flatMap(({ path, schema }) =>
    wrongValues(schema).map((value) => JSON.stringify(withValueAt(valid, path, value))),
  )
  const nul = JSON.stringify(valid).replace(/\}$/, ',"unknown":"\\u0000"}')
  return ['{', '[]', '"x"', '1', 'true', '{"a":1,}', '{"a":1,"a":2}', '{"__proto__":{}}', nul, ...wrongFields]
}

function wrongValues({ type, format, enum: words }: Schema): unknown[] {
  if (words) return ['no such word', 1]
  if (format === 'uuid' || format === 'date-time') return ['neither', 1, []]
  if (type === 'string') return [1, ['x']]
  if (type === 'boolean') return ['true', 1]
  if (type === 'integer' || type === 'number') return ['1', 1.5, 9e15]
  return ['x', 1]
}
