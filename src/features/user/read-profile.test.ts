import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { makeCaller, startService, type TestService, type TestTenant } from '../../../test/service.ts'

describe('user profile', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  test('is answered with the interface’s own spelling of departamentId', async () => {
    const { status, json } = await acme.call('GET', `/user/profile/${acme.administratorId.toUpperCase()}`)
    assert.equal(status, 200)
    assert.deepEqual(json, {
      id: acme.administratorId,
      firstName: 'First',
      lastName: 'Administrator',
      email: acme.administratorEmail,
      phone: null,
      departamentId: acme.rootDepartmentId,
      externalReference: null,
    })
  })

  test('of a key’s service user can be read as well', async () => {
    const { status, json } = await acme.call('GET', `/user/profile/${acme.serviceUserId}/`)
    assert.equal(status, 200)
    assert.equal(json.lastName, 'First key')
  })

  test('of nobody, and of somebody in another tenant, is 204 alike', async () => {
    for (const id of [newId(), other.administratorId, '00000000-0000-0000-0000-000000000000']) {
      const reply = await acme.call('GET', `/user/profile/${id}`)
      assert.equal(reply.status, 204)
      assert.equal(reply.text, '')
    }
  })

  test('needs a UUID', async () => {
    const { status, json } = await acme.call('GET', '/user/profile/me')
    assert.equal(status, 400)
    assert.deepEqual(json, { code: 1000, classification: 'InvalidArgument', message: 'id: must be a UUID' })
  })

  test('needs a key that is known', async () => {
    const attempts: Record<string, string>[] = [{}, { 'ocp-apim-subscription-key': 'no such key' }]
    for (const headers of attempts) {
      const { status, json } = await service.call('GET', `/user/profile/${acme.administratorId}`, undefined, {
        headers,
      })
      assert.equal(status, 401)
      assert.equal(json.classification, 'AuthenticationError')
    }
  })

  test('outside the caller’s reach is refused', async () => {
    const made = await acme.call('POST', '/onboarding/department', {
      department: { name: 'Sales', users: [{ email: 'inside@example.com' }] },
    })
    const call = await service.createDepartmentKey(acme, made.json.id)
    assert.equal((await call('GET', `/user/profile/${made.json.users[0].id}`)).status, 200)
    for (const id of [acme.administratorId, acme.serviceUserId]) {
      const { status, json } = await call('GET', `/user/profile/${id}`)
      assert.deepEqual([status, json.code, json.classification], [403, 6000, 'AuthorizationError'])
    }
  })

  test('can be read by ordinary users, and by a deactivated one no more', async () => {
    const { json: user } = await acme.asAdministrator('POST', '/onboarding/user', { email: 'leaver@example.com' })
    const { tenantId, rootDepartmentId: departmentId } = acme
    const claims = { userId: user.id, tenantId, departmentId, role: 'user' }
    const token = await service.platform.tokens.issue(claims, service.clock.now())
    const call = makeCaller(service.url, { 'ocp-apim-subscription-key': acme.key, authorization: `Bearer ${token}` })
    assert.equal((await call('GET', `/user/profile/${user.id}`)).status, 200)
    await acme.asAdministrator('PATCH', `/onboarding/user/${user.id}`, { isActive: false })
    const { status, json } = await call('GET', `/user/profile/${user.id}`)
    assert.deepEqual([status, json.classification], [403, 'AuthorizationError'])
    assert.equal((await acme.call('GET', `/user/profile/${user.id}`)).status, 200)
    const paths = ['documenttemplating/template', `metadata/Document/${newId()}`, `event/signaturerequest/${newId()}`]
    for (const path of paths) {
      const reply = await call('GET', `/${path}`)
      assert.deepEqual([reply.status, reply.json.classification], [403, 'UserInactiveError'], path)
    }
  })
})
