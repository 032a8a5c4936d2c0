// Whoever runs commands on the machine itself: an administrator of every tenant, by right of having its secret key.
import { lockTree } from '#features/onboarding/department-tree.ts'
import { listTenants } from '#features/onboarding/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { NIL_UUID } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { CommandFailure, EXIT, WrongUsage, type Arguments } from './command-line/command.ts'

export const TENANT_OPTION = {
  tenant: { value: 'TENANT', about: 'The tenant, by its id or its name. Needed where there is more than one.' },
} as const

export const REASON_OPTION = {
  reason: {
    value: 'TEXT',
    about: 'Why, in your words: it stands in the activity of the tenant, for its administrators.',
  },
} as const

/** For deeds: those who only look leave no trace. */
export const DEED_OPTIONS = { ...TENANT_OPTION, ...REASON_OPTION } as const

const LONGEST_REASON = 500

type Tenant = Awaited<ReturnType<typeof listTenants.one>>

/** The tenant that the command is about: the one that is named, or the only one that there is. */
export async function chooseTenant(platform: Platform, given: Arguments): Promise<Tenant> {
  return getTenant(platform, given.text('tenant'))
}

/** The tenant with this id or name; without one, the only tenant that there is. */
export async function getTenant({ db }: Platform, wanted: string | undefined): Promise<Tenant> {
  const tenants = await db.systemTransaction((tx) => listTenants.many(tx, {}))
  const found = tenants.filter(({ id, name }) => wanted === undefined || id === wanted.toLowerCase() || name === wanted)
  if (found.length === 1) return found[0]!
  if (tenants.length === 0) {
    throw new CommandFailure('there is no tenant yet', {
      fix: 'Make one: countersign tenant create NAME --admin EMAIL',
    })
  }
  const what =
    found.length === 0 ? `there is no tenant ${JSON.stringify(wanted)}` : 'which tenant is meant is not clear'
  const names = tenants.slice(0, 20).map(({ id, name }) => `${id} (${name})`)
  throw new CommandFailure(what, { exitCode: EXIT.usage, fix: `Name one by its id: ${names.join(', ')}` })
}

/** The caller that stands for the person at the command line. Its deeds are recorded under nobody's id. */
export async function operatorOf(tx: Tx, tenantId: string, given?: Arguments): Promise<Caller> {
  return {
    tenantId,
    role: 'administrator',
    userId: NIL_UUID,
    departmentId: await lockTree(tx, tenantId),
    isTenantWide: true,
    keyId: undefined,
    token: undefined,
    isInactive: false,
    requestId: 'command line',
    reason: given && readReason(given),
  }
}

function readReason(given: Arguments): string | undefined {
  const reason = given.text('reason')?.trim()
  if (reason === '' || (reason !== undefined && reason.length > LONGEST_REASON))
    throw new WrongUsage(`--reason takes 1 to ${LONGEST_REASON} characters`)
  return reason
}

/** Runs one action for the chosen tenant, in one transaction. */
export async function asOperator<T>(
  platform: Platform,
  given: Arguments,
  work: (tx: Tx, caller: Caller) => Promise<T>,
): Promise<T> {
  const { id } = await chooseTenant(platform, given)
  return platform.db.transaction(id, async (tx) => work(tx, await operatorOf(tx, id, given)))
}
