// The tenants of a campaign, made as the command line makes them. Each has a word of its own in all its texts: found in
// anything that another tenant gets, it is a leak.
import { createTenant } from '#features/onboarding/index.ts'
import { openLocalPlatform } from '#main/local-installation.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import type { Environment } from '#platform/config/environment.ts'
import { newId } from '#platform/ids.ts'

export type Tenant = {
  tenantId: string
  rootDepartmentId: string
  /** The word that nobody else may ever see. */
  word: string
  key: string
  administrator: { email: string; password: string; token: string }
}

const PASSWORD = 'a password for the crash harness'

/** Makes tenants in an installation that runs. */
export async function makeTenants(environment: Environment, count: number): Promise<Tenant[]> {
  const { platform, close } = await openLocalPlatform(environment)
  try {
    const passwordHash = await hashPassword(PASSWORD)
    const tenants: Tenant[] = []
    for (let number = 0; number < count; number++) {
      const tenantId = newId()
      const word = `zq${number}${tenantId.slice(-8)}`
      const email = `admin-${word}@example.com`
      const now = platform.clock.now()
      const created = await platform.db.transaction(tenantId, (tx) =>
        createTenant(tx, { tenantId, name: `Tenant ${word}`, administrator: { email, passwordHash }, now }),
      )
      const { administratorId: userId, rootDepartmentId: departmentId, key } = created
      const token = await platform.tokens.issue({ userId, tenantId, departmentId, role: 'administrator' }, now)
      const administrator = { email, password: PASSWORD, token }
      tenants.push({ tenantId, rootDepartmentId: departmentId, word, key: key.primaryKey, administrator })
    }
    return tenants
  } finally {
    await close()
  }
}
