// Whether a tenant does what none does in an ordinary day: its account may be in the wrong hands.
import { readReportedTenants, readTenantsAtLimit } from '#features/abuse/index.ts'
import type { Platform } from '#platform/platform.ts'
import { look, type Finding } from './finding.ts'

const MOST_NAMED = 5

/** Tenants at their limit of today, and those whose messages people have reported; nothing where there are none. */
export async function checkTenants(platform: Platform): Promise<Finding[]> {
  return [...(await findAtLimit(platform)), ...(await findReported(platform))]
}

async function findAtLimit(platform: Platform): Promise<Finding[]> {
  const tenants = await readTenantsAtLimit(platform)
  if (tenants.length === 0) return []
  const fix =
    'Ask them whether they sent so much. If they need more, raise COUNTERSIGN_INVITATIONS_PER_DAY; if it was not them, ' +
    'shut them out: countersign tenant stop ID'
  return [look('invitations', `at the limit of today: ${nameSome(tenants)}`, fix)]
}

async function findReported(platform: Platform): Promise<Finding[]> {
  const tenants = await readReportedTenants(platform)
  if (tenants.length === 0) return []
  const fix =
    'The log names the requests (“a message was reported as unwanted”). Ask the tenant; if its account is in the wrong ' +
    'hands, shut it out: countersign tenant stop ID'
  return [look('reports', `of messages, within a week: ${nameSome(tenants)}`, fix)]
}

function nameSome(tenants: readonly { id: string; name: string; reports?: number }[]): string {
  const named = tenants
    .slice(0, MOST_NAMED)
    .map(({ id, name, reports }) => `${name} (${id})${reports === undefined ? '' : `, ${reports} in all`}`)
  const others = tenants.length > MOST_NAMED ? ` and ${tenants.length - MOST_NAMED} others` : ''
  return named.join('; ') + others
}
