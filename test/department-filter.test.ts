// One rule for every listing that can be narrowed to a department: a department that is not there has nothing to show, one
// outside of reach is refused. An id of another tenant is as unknown as one that never was.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { routes } from '#main/routes.ts'
import { newId } from '#platform/ids.ts'
import { addDepartment, type TestDepartment } from './departments.ts'
import { addPerson } from './people.ts'
import { startService, type Caller, type TestService, type TestTenant } from './service.ts'

type WithQuery = { properties?: Record<string, unknown> }

const filtered = routes.filter(({ method, query }) => {
  const { properties = {} }: WithQuery = query ?? {}
  const names = Object.keys(properties)
  return method === 'GET' && names.some((name) => name.toLowerCase() === 'departmentid')
})

describe('listings narrowed to a department', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant
  let sales: TestDepartment
  let asSales: Caller

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
    sales = await addDepartment(service, acme, 'Sales')
    asSales = await addPerson(service, acme, { departmentId: sales.id, role: 'admin' })
  })
  after(() => service.stop())

  test('there are several', () => assert.ok(filtered.length >= 6, String(filtered.length)))

  for (const { url, errorStatuses } of filtered) {
    test(url, async () => {
      const ask = (call: Caller, departmentId: string) => call('GET', `${url}?departmentId=${departmentId}`)
      for (const call of [acme.asAdministrator, asSales]) {
        for (const departmentId of [newId(), other.rootDepartmentId]) {
          const { status, json } = await ask(call, departmentId)
          assert.equal(status, 200, JSON.stringify(json))
          assert.deepEqual(json.items, [])
        }
        assert.equal((await ask(call, sales.id)).status, 200)
      }
      const refused = await ask(asSales, acme.rootDepartmentId)
      assert.equal(refused.status, errorStatuses?.forbidden ?? 403)
      assert.equal(refused.json.code, 6000)
    })
  }
})
