import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'

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
})
