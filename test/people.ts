// People for tests that are not about people: written past the API, each with a token of their own.
import { newId } from '#platform/ids.ts'
import { makeCaller, type Caller, type TestService, type TestTenant } from './service.ts'

/** A person of a department with the given role, calling with the tenant's key and a bearer token. */
export async function addPerson(
  service: TestService,
  { tenantId, key }: TestTenant,
  { departmentId, role }: { departmentId: string; role: string },
): Promise<Caller> {
  const userId = newId()
  await service.database.asOwner(
    `insert into app_user (tenant_id, id, department_id, kind, role, tokens_valid_after, created_at, modified_at)
     values ($1, $2, $3, 'person', $4, now() - interval '1 hour', now(), now())`,
    [tenantId, userId, departmentId, role],
  )
  const token = await service.platform.tokens.issue({ userId, tenantId, departmentId, role }, service.clock.now())
  return makeCaller(service.url, { 'ocp-apim-subscription-key': key, authorization: `Bearer ${token}` })
}
