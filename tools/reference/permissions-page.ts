// docs/permissions.md: who may use which operation.
import { routes } from '#main/routes.ts'
import type { CallerRole } from '#platform/auth/caller.ts'
import { PERMISSIONS } from '#platform/auth/permissions.ts'
import { documentPath } from '#platform/http/openapi/describe-api.ts'
import { SUB_APIS } from '#platform/http/openapi/sub-apis.ts'
import type { Route } from '#platform/http/route.ts'
import { markdownTable } from './markdown-table.ts'

export const PERMISSIONS_PATH = 'docs/permissions.md'

const INTRODUCTION = `# Permissions

Written by \`npm run openapi\` from the code.

A call acts in one of three roles. With a subscription key alone it acts as the **key**. With a bearer token beside the key it acts as the token's user: as an **administrator** where the user's role is \`admin\`, \`administrator\` or \`owner\` (in any case), otherwise as a **user**. The hooks operations always need the token.

In every role the caller reaches its own department and those below it, and nothing else; a thing outside of that is refused with 403 (401 on onboarding operations), and a thing of another tenant is as unknown as one that never was. Naming a \`creatorId\` other than oneself is for keys and administrators.

Operations with a number are those of the interface; the others are additions.
`

const HEAD = ['No.', 'Operation', 'Permission', 'Key', 'Administrator', 'User']

/** The text of docs/permissions.md. */
export function writePermissionsPage(): string {
  const sections = Object.keys(SUB_APIS).map((tag) => {
    const own = routes.filter((route) => route.tag === tag)
    return own.length === 0 ? '' : `## ${tag}\n\n${markdownTable(HEAD, own.map(writeRow))}\n`
  })
  return [INTRODUCTION, ...sections.filter((section) => section !== '')].join('\n')
}

/** Whether a caller in this role may use the operation at all. */
export function mayUse(route: Route, role: CallerRole): boolean {
  const roles: readonly CallerRole[] = PERMISSIONS[route.permission]
  return roles.includes(role) && !(role === 'key' && route.needsToken)
}

function writeRow(route: Route): string[] {
  const roles = (['key', 'administrator', 'user'] as const).map((role) => (mayUse(route, role) ? 'yes' : 'no'))
  const address = `\`${route.method} ${documentPath(route)}\``
  const permission = `\`${route.permission}\`${route.isPublic ? ', no key needed' : ''}`
  return [route.operation?.toString() ?? '', address, permission, ...roles]
}
