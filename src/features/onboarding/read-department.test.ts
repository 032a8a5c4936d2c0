import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { create } from '../../../test/signature-requests.ts'
import { makeDepartment, makeUser } from './testing/people.ts'

const PATH = '/onboarding/department'

describe('reading a department', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  test('tells how much lies in it and below it', async () => {
    const { users: _users, ...sales } = await makeDepartment(acme, { subscriptionTier: 'gold' })
    const below = await makeDepartment(acme, { name: 'Abroad', parentDepartmentId: sales.id })
    await makeUser(acme, { email: 'aino@example.com', departmentId: sales.id })
    await makeUser(acme, { email: 'eino@example.com', departmentId: below.id })
    const as = acme.asAdministrator
    const departmentId = below.id
    await as('POST', '/onboarding/subscriptionkey', { name: 'K', departmentId })
    await as('POST', '/hooks/v1/subscription', {
      eventType: 'signatorysigned',
      uri: 'https://hooks.example.com/',
      departmentId,
    })
    const preset = { kind: 'signature', name: 'T', fields: { subject: 'S' }, departmentId }
    await as('POST', '/documenttemplating/requesttemplate', preset)
    await as('POST', '/sealing/certificate', { generate: true, departmentId })
    await create(acme.call, { status: 'Draft', departmentId })
    await create(acme.call, { departmentId: sales.id })
    await as('POST', '/sealing/sealingrequest', { subject: 'S', departmentId })
    const { status, json } = await acme.call('GET', `${PATH}/${sales.id}`)
    assert.equal(status, 200)
    assert.deepEqual(json, {
      ...sales,
      subscriptionTier: 'gold',
      retentionDays: null,
      contents: {
        departments: 1,
        users: 2,
        keys: 1,
        subscriptions: 1,
        templates: 1,
        certificates: 1,
        unfinishedSignatureRequests: 2,
        unfinishedSealingRequests: 1,
      },
    })
    assert.equal((await acme.call('GET', `${PATH}/${below.id}`)).json.contents.users, 1)
  })

  test('refuses what is out of reach, and does not know what is not there', async () => {
    const other = await service.createTenant('Other')
    for (const id of [newId(), other.rootDepartmentId, 'sales']) {
      const { status, json } = await acme.call('GET', `${PATH}/${id}`)
      assert.deepEqual([status, json.code], [400, 2000])
    }
    const inside = await makeDepartment(acme)
    const call = await service.createDepartmentKey(acme, inside.id)
    assert.equal((await call('GET', `${PATH}/${acme.rootDepartmentId}`)).status, 401)
  })
})
