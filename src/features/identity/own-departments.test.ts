import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { signedIn } from '../../../test/console-browser.ts'
import { addDepartment } from '../../../test/departments.ts'
import { PASSWORD, startService, type TestService, type TestTenant } from '../../../test/service.ts'

describe('the departments that somebody acts for', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  test('have names for ordinary users too: their own and those below it, and no others', async () => {
    const sales = await addDepartment(service, acme, 'Sales')
    const north = await addDepartment(service, acme, 'North', sales.path)
    await addDepartment(service, acme, 'Legal')
    const email = 'clerk@example.com'
    const { json: user } = await acme.asAdministrator('POST', '/onboarding/user', { email, departmentId: sales.id })
    const { json: invitation } = await acme.asAdministrator('POST', `/onboarding/user/${user.id}/invitation`)
    await acme.call('POST', '/identity/password', { token: invitation.token, password: PASSWORD })
    const clerk = await signedIn(service.url, email)
    assert.equal((await clerk.call('GET', '/onboarding/department')).status, 401)
    const { status, json } = await clerk.call('GET', '/identity/department')
    assert.equal(status, 200)
    assert.equal(json.total, 2)
    assert.deepEqual(
      json.items.toSorted((a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)),
      [
        { id: north.id, name: 'North', parentDepartmentId: sales.id },
        { id: sales.id, name: 'Sales', parentDepartmentId: acme.rootDepartmentId },
      ],
    )
  })
})
