// Departments for tests that are not about departments: written past the API, each with a key of its own.
import { newId } from '#platform/ids.ts'
import type { Caller, TestService, TestTenant } from './service.ts'

export type TestDepartment = { id: string; path: string[]; call: Caller }

/** A department below the given one, or else below the tenant's root. */
export async function addDepartment(
  service: TestService,
  tenant: TestTenant,
  name: string,
  above: string[] = [tenant.rootDepartmentId],
): Promise<TestDepartment> {
  const id = newId()
  const path = [...above, id]
  await service.database.asOwner(
    `insert into department (tenant_id, id, parent_id, path, name, created_at, modified_at)
     values ($1, $2, $3, $4, $5, now(), now())`,
    [tenant.tenantId, id, above.at(-1), path, name],
  )
  return { id, path, call: await service.createDepartmentKey(tenant, id) }
}
