// What is fuzzed: the real service on a real database, with a second tenant whose things must never come to light.
import { makePlace } from '../contract/world.ts'
import { startService, type TestService } from '../service.ts'
import type { Credentials } from './run.ts'

export type Target = {
  service: TestService
  makeCredentials: () => Promise<Credentials>
  ids: string[]
  secrets: string[]
}

export async function makeTarget(): Promise<Target> {
  const service = await startService({ COUNTERSIGN_RATE_LIMIT: '100000000' })
  const other = await service.createTenant('Other')
  const { things } = await makePlace(service, other, 'Abroad')
  return {
    service,
    ids: Object.values(things),
    secrets: [other.tenantId, other.administratorEmail],
    async makeCredentials() {
      const { key, tenantId, administratorId: userId, rootDepartmentId: departmentId } = await service.createTenant()
      const claims = { userId, tenantId, departmentId, role: 'administrator' }
      const token = await service.platform.tokens.issue(claims, service.clock.now())
      return { key, authorization: `Bearer ${token}` }
    },
  }
}
