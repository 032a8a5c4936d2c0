import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'

describe('the tenant as a whole', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  test('is read as it was changed, by whoever reaches all of it', async () => {
    await service.createTenant('Other')
    await acme.call('PATCH', '/onboarding/tenant', { returnOrigins: ['https://app.example.com'] })
    await acme.call('PATCH', `/onboarding/department/${acme.rootDepartmentId}`, { retentionDays: 90 })
    const { status, json } = await acme.call('GET', '/onboarding/tenant')
    assert.equal(status, 200)
    const { languages, ...rest } = json
    assert.deepEqual(rest, {
      id: acme.tenantId,
      name: 'Acme',
      returnOrigins: ['https://app.example.com'],
      personalIdentifierInCertificates: false,
      rootDepartmentId: acme.rootDepartmentId,
      retentionDays: 90,
    })
    assert.ok(languages.includes('en') && languages.length === 10)
  })

  test('is not for a department', async () => {
    const sales = await addDepartment(service, acme, 'Sales')
    assert.equal((await sales.call('GET', '/onboarding/tenant')).status, 401)
  })
})
