// Ids in the path. Where the interface calls one a UUID, anything else is refused; where it calls it a text, anything
// else than a known id is simply not found, which the operation says itself; the request's head bounds its length.
import type { TSchema } from 'typebox'
import { invalidArgument } from '#platform/errors.ts'
import { isUuid } from '#platform/ids.ts'

export function readParams(schema: TSchema, params: Record<string, string>): Record<string, string> {
  const properties = (schema as { properties?: Record<string, { format?: string }> }).properties ?? {}
  const read: Record<string, string> = {}
  for (const name in properties) {
    const value = params[name] ?? ''
    if (value.includes('\u0000')) throw invalidArgument(name, 'must not contain the character U+0000')
    if (value.includes('\uFFFD')) throw invalidArgument(name, 'must be percent-encoded UTF-8')
    if (properties[name]!.format === 'uuid' && !isUuid(value)) throw invalidArgument(name, 'must be a UUID')
    read[name] = isUuid(value) ? value.toLowerCase() : value
  }
  return read
}
