// Short ways to departments and people, for tests: through the API, as a customer would make them.
import assert from 'node:assert/strict'
import { makeCaller, type Caller, type TestService, type TestTenant } from '../../../../test/service.ts'

/** Makes a department with the given fields, below the root unless they say otherwise; answers with the body. */
export async function makeDepartment(tenant: TestTenant, fields: Record<string, unknown> = {}) {
  const { status, json } = await tenant.call('POST', '/onboarding/department', {
    department: { name: 'Sales', ...fields },
  })
  assert.equal(status, 200, JSON.stringify(json))
  return json
}

/** Makes a user by an administrator's call; answers with the body. */
export async function makeUser(tenant: TestTenant, fields: Record<string, unknown>) {
  const { status, json } = await tenant.asAdministrator('POST', '/onboarding/user', fields)
  assert.equal(status, 200, JSON.stringify(json))
  return json
}

/** Calls with the tenant's key and a token of this user. */
export async function callerAs(
  service: TestService,
  tenant: TestTenant,
  { id, departmentId, role }: { id: string; departmentId: string; role: string },
): Promise<Caller> {
  const { tokens, clock } = service.platform
  const token = await tokens.issue({ userId: id, tenantId: tenant.tenantId, departmentId, role }, clock.now())
  return makeCaller(service.url, { 'ocp-apim-subscription-key': tenant.key, authorization: `Bearer ${token}` })
}
