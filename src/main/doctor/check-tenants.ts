// Whether a tenant does what none does in an ordinary day: its account may be in the wrong hands.
import { readTenantsAtLimit } from '#features/abuse/index.ts'
import type { Platform } from '#platform/platform.ts'
import { look, type Finding } from './finding.ts'

const MOST_NAMED = 5

/** Tenants that wanted to invite more people today than they may; nothing where there are none. */
export async function checkTenants(platform: Platform): Promise<Finding[]> {
  const tenants = await readTenantsAtLimit(platform)
  if (tenants.length === 0) return []
  const named = tenants.slice(0, MOST_NAMED).map(({ id, name }) => `${name} (${id})`)
  const others = tenants.length > MOST_NAMED ? ` and ${tenants.length - MOST_NAMED} others` : ''
  const fix =
    'Ask them whether they sent so much. If they need more, raise COUNTERSIGN_INVITATIONS_PER_DAY; if it was not them, ' +
    'shut them out: countersign tenant stop ID'
  return [look('invitations', `at the limit of today: ${named.join(', ')}${others}`, fix)]
}
