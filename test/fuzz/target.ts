// What is fuzzed: the real service on a real database, with a second tenant whose things must never come to light.
import { makePlace, type Things } from '../contract/world.ts'
import { startService, type TestService, type TestTenant } from '../service.ts'
import type { Credentials } from './run.ts'

export type Target = {
  service: TestService
  makeCredentials: () => Promise<Credentials>
  strangers: string[]
  secrets: string[]
}

export async function makeTarget(): Promise<Target> {
  const service = await startService({ COUNTERSIGN_RATE_LIMIT: '100000000' })
  const other = await service.createTenant('Other')
  const { things } = await makePlace(service, other, 'Abroad')
  return {
    service,
    strangers: Object.values(things),
    secrets: [other.tenantId, other.administratorEmail],
    async makeCredentials() {
      const tenant = await service.createTenant()
      const place = await makePlace(service, tenant, 'Sales')
      return logIn(service, tenant, [...namesOf(place.things), ['tenantId', tenant.tenantId]])
    },
  }
}

async function logIn(service: TestService, tenant: TestTenant, own: Credentials['own']): Promise<Credentials> {
  const { key, tenantId, administratorId: userId, rootDepartmentId: departmentId } = tenant
  const claims = { userId, tenantId, departmentId, role: 'administrator' }
  const token = await service.platform.tokens.issue(claims, service.clock.now())
  return { key, authorization: `Bearer ${token}`, own, renew: () => logIn(service, tenant, own) }
}

/** Things under the names that requests know them by. */
function namesOf(things: Things): [name: string, id: string][] {
  return [
    ['departmentId', things.departmentId],
    ['signaturerequest', things.draftRequestId],
    ['signaturerequest', things.openRequestId],
    ['signaturerequest', things.closedRequestId],
    ['sealingrequest', things.sealingRequestId],
    ['document', things.sealingDocumentId],
    ['uri', things.documentUri],
    ['template', things.templateId],
    ['requesttemplate', things.signingTemplateId],
    ['requesttemplate', things.sealingTemplateId],
    ['user', things.userId],
    ['creatorId', things.userId],
    ['subscriptionkey', things.keyId],
    ['subscription', things.subscriptionId],
  ]
}
