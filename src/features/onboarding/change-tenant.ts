import { recordActivity } from '#features/activity/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidArgument, notReachable } from '#platform/errors.ts'
import type { TenantChangeFields } from './schemas.ts'
import { updateTenant } from './tenant-statements.ts'

export type ChangeTenant = { caller: Caller; fields: TenantChangeFields; now: Date }

/** Changes what holds for the whole tenant; only callers who reach all of it may. */
export async function changeTenant(tx: Tx, { caller, fields, now }: ChangeTenant) {
  if (!caller.isTenantWide) throw notReachable()
  const { name = null, returnOrigins, personalIdentifierInCertificates } = fields
  const { settings, ...tenant } = await updateTenant.one(tx, {
    tenantId: caller.tenantId,
    name,
    returnOrigins: returnOrigins ? readOrigins(returnOrigins) : null,
    settings: personalIdentifierInCertificates === undefined ? {} : { personalIdentifierInCertificates },
  })
  await recordActivity(tx, {
    caller,
    action: 'tenant.changed',
    target: tenant,
    departmentId: caller.departmentId,
    details: { fields: Object.keys(fields) },
    now,
  })
  return { ...tenant, personalIdentifierInCertificates: settings.personalIdentifierInCertificates ?? false }
}

function readOrigins(values: string[]): string[] {
  return [...new Set(values.map((value, index) => readOrigin(value, `returnOrigins[${index}]`)))]
}

/** An origin has a scheme, a host and perhaps a port; whatever else an address may carry would only seem to count. */
function readOrigin(value: string, field: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isOrigin =
    url?.protocol === 'https:' && `${url.origin}/` === url.href && !value.endsWith('?') && !value.endsWith('#')
  if (!isOrigin) throw invalidArgument(field, 'must be an https origin such as https://app.example.com')
  return url.origin
}
