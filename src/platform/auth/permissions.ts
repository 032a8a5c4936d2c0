// Who may do what: one table. docs/permissions.md shows the same, and a test holds the two equal.
import type { CallerRole } from './caller.ts'

const EVERYBODY: readonly CallerRole[] = ['key', 'administrator', 'user']
const MANAGERS: readonly CallerRole[] = ['key', 'administrator']
const ADMINISTRATORS: readonly CallerRole[] = ['administrator']
const PEOPLE: readonly CallerRole[] = ['administrator', 'user']

export const PERMISSIONS = {
  'signaturerequest:create': EVERYBODY,
  'signaturerequest:change': EVERYBODY,
  'signaturerequest:read': EVERYBODY,
  'signaturerequest:cancel': EVERYBODY,
  'signaturerequest:open': EVERYBODY,
  'signaturerequest:archive': EVERYBODY,
  'signaturerequest:remind': EVERYBODY,
  'signaturerequest:link': EVERYBODY,
  'signaturerequest:retry': EVERYBODY,
  'overview:read': EVERYBODY,
  'person:erase': MANAGERS,
  'sealingrequest:read': EVERYBODY,
  'sealingrequest:write': EVERYBODY,
  'certificate:read': MANAGERS,
  'certificate:write': MANAGERS,
  'authority:read': EVERYBODY,
  'metadata:read': EVERYBODY,
  'metadata:write': EVERYBODY,
  'template:read': EVERYBODY,
  'template:write': MANAGERS,
  'department:read': MANAGERS,
  'department:write': MANAGERS,
  'user:profile': EVERYBODY,
  'user:manage': ADMINISTRATORS,
  'key:manage': ADMINISTRATORS,
  'document:read': EVERYBODY,
  'document:write': EVERYBODY,
  'event:read': EVERYBODY,
  'log:read': EVERYBODY,
  'hook:read': PEOPLE,
  'hook:write': ADMINISTRATORS,
  'identity:login': EVERYBODY,
  'identity:signin': EVERYBODY,
  'identity:self': PEOPLE,
  'identity:keys': EVERYBODY,
  'signer:self': EVERYBODY,
  'message:read': ADMINISTRATORS,
  'activity:read': ADMINISTRATORS,
  'document:validate': EVERYBODY,
} as const satisfies Record<string, readonly CallerRole[]>

export type Permission = keyof typeof PERMISSIONS
