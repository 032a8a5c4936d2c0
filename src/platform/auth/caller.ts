// Who is calling, and how far that caller reaches.
import type { Tx } from '#platform/db/database.ts'
import { notReachable } from '#platform/errors.ts'
import { isDepartmentBelow, listDepartmentsBelow } from './auth-statements.ts'

export type CallerRole = 'key' | 'administrator' | 'user'

export type Caller = Readonly<{
  tenantId: string
  role: CallerRole
  /** The person whose token was sent, or else the key's service user. */
  userId: string
  /** The caller sees this department and everything below it. */
  departmentId: string
  /** True where that department is the root: then everything in the tenant is within reach. */
  isTenantWide: boolean
  keyId: string | undefined
  /** Of the bearer token, where one was sent. */
  token: { id: string; expiresAt: Date } | undefined
  /** Of the console, where the call carried its cookie: it stands in for key and token. */
  sessionId?: string | undefined
  /** A deactivated user whose token has not ended yet. */
  isInactive: boolean
  /** Of the call that it makes, for the record of who did what. */
  requestId?: string
  /** Why it acts, in its own words, where it gave any: for the same record. */
  reason?: string | undefined
}>

/** Passes where the department is at or below the caller's own. */
export async function requireReach(tx: Tx, caller: Caller, departmentId: string): Promise<void> {
  if (!(await hasReach(tx, caller, departmentId))) throw notReachable()
}

export async function hasReach(tx: Tx, caller: Caller, departmentId: string): Promise<boolean> {
  if (caller.isTenantWide || departmentId === caller.departmentId) return true
  const { tenantId, departmentId: above } = caller
  return (await isDepartmentBelow.maybeOne(tx, { tenantId, departmentId, above })) !== undefined
}

/** The departments whose things the caller sees; undefined stands for all of the tenant's. */
export async function listReachableDepartments(tx: Tx, caller: Caller): Promise<string[] | undefined> {
  if (caller.isTenantWide) return undefined
  const rows = await listDepartmentsBelow.many(tx, { tenantId: caller.tenantId, above: caller.departmentId })
  return rows.map((row) => row.id)
}

/** Whether a person calls, by token or from the console, and not a key by itself. */
export function isPerson({ token, sessionId }: Caller): boolean {
  return token !== undefined || sessionId !== undefined
}

const ADMINISTRATOR_ROLES = ['admin', 'administrator', 'owner']

/** What a user's role string means for permissions; every other word is stored as given and is an ordinary user. */
export function callerRole(role: string): CallerRole {
  return ADMINISTRATOR_ROLES.includes(role.trim().toLowerCase()) ? 'administrator' : 'user'
}
