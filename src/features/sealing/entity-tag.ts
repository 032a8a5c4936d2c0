// RFC 9110 13.1.1: a write with If-Match takes place only where the version that its caller saw is still the present one.
import { Answer } from '#platform/http/route.ts'
import { versionChanged } from './errors.ts'
import type { RequestRow } from './sealing-statements.ts'

/** Passes where no version was named, or the present one was. A request that is not there matches nothing. */
export function requireMatch(ifMatch: string | undefined, present: RequestRow | undefined): void {
  if (ifMatch === undefined) return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (present && (tags.includes('*') || tags.includes(entityTag(present)))) return
  throw versionChanged(present && entityTag(present))
}

/** A request as the API shows it, with its version as the ETag. */
export function answerWith(request: RequestRow): Answer {
  return new Answer(200, represent(request), { etag: entityTag(request) })
}

export function represent(row: RequestRow) {
  const { version: _, ...request } = row
  return request
}

function entityTag({ version }: RequestRow): string {
  return `"${version}"`
}
