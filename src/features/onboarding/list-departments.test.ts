import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { makeDepartment } from './testing/people.ts'

const PATH = '/onboarding/department'

describe('listing departments', () => {
  let service: TestService
  let acme: TestTenant
  let north: { id: string }
  let south: { id: string }
  let below: { id: string }

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    const other = await service.createTenant('Other')
    await makeDepartment(other, { businessId: 'b-1' })
    north = await makeDepartment(acme, { name: 'North', businessId: 'b-1', externalReference: 'n' })
    south = await makeDepartment(acme, { name: 'South', businessId: 'b-1' })
    below = await makeDepartment(acme, { name: 'Below', parentDepartmentId: north.id })
  })
  after(() => service.stop())

  const ids = (json: { items: { id: string }[] }) => json.items.map((item) => item.id)

  test('shows everything within reach, newest first, with a total', async () => {
    const { status, json } = await acme.call('GET', PATH)
    assert.equal(status, 200)
    assert.equal(json.total, 4)
    assert.deepEqual(ids(json), [below.id, south.id, north.id, acme.rootDepartmentId])
    assert.equal(json.items[3].parentDepartmentId, null)
    const callAsNorth = await service.createDepartmentKey(acme, north.id)
    assert.deepEqual(ids((await callAsNorth('GET', PATH)).json), [below.id, north.id])
  })

  test('finds by businessId and by externalReference, whatever the case of the names', async () => {
    const byBusiness = await acme.call('GET', `${PATH}/?BUSINESSID=b-1`)
    assert.deepEqual(ids(byBusiness.json), [south.id, north.id])
    assert.equal(byBusiness.json.total, 2)
    assert.deepEqual(ids((await acme.call('GET', `${PATH}?externalReference=n&businessId=b-1`)).json), [north.id])
    assert.deepEqual((await acme.call('GET', `${PATH}?externalReference=N`)).json, { total: 0, items: [] })
  })

  test('pages by skip and take', async () => {
    const { json } = await acme.call('GET', `${PATH}?skip=1&take=2`)
    assert.equal(json.total, 4)
    assert.deepEqual(ids(json), [south.id, north.id])
    for (const query of ['skip=-1', 'skip=x', 'skip=10001', 'take=0', 'take=501', 'take=1.5', 'take=1&TAKE=2']) {
      const reply = await acme.call('GET', `${PATH}?${query}`)
      assert.equal(reply.status, 400, query)
      assert.equal(reply.json.classification, 'InvalidArgument')
    }
  })
})
