import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeCaller, PASSWORD, startService, type TestService, type TestTenant } from '../../../test/service.ts'

describe('a session', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  async function logIn() {
    const { json } = await acme.call('POST', '/identity/login', { login: acme.administratorEmail, password: PASSWORD })
    return makeCaller(service.url, { 'ocp-apim-subscription-key': acme.key, authorization: `Bearer ${json.token}` })
  }

  test('knows who it belongs to', async () => {
    const { status, json } = await (await logIn())('GET', '/identity/me')
    assert.equal(status, 200)
    assert.deepEqual(json, {
      id: acme.administratorId,
      role: 'administrator',
      isAdministrator: true,
      firstName: 'First',
      lastName: 'Administrator',
      organisation: 'Acme',
      departmentName: 'Acme',
      email: acme.administratorEmail,
      phone: null,
      externalReference: null,
      language: null,
      timezone: null,
      tenantId: acme.tenantId,
      departmentId: acme.rootDepartmentId,
      homeDepartmentId: acme.rootDepartmentId,
    })
  })

  test('ends with logout, on every operation, and the others of the user go on', async () => {
    const [mine, another] = [await logIn(), await logIn()]
    assert.equal((await mine('GET', '/onboarding/department')).status, 200)
    const reply = await mine('POST', '/identity/logout')
    assert.deepEqual([reply.status, reply.text], [204, ''])
    for (const path of ['/identity/me', '/onboarding/department', `/user/profile/${acme.administratorId}`]) {
      assert.equal((await mine('GET', path)).status, 401)
    }
    assert.equal((await another('GET', '/identity/me')).status, 200)
  })

  test('ends everywhere where that is asked for, and the next one works at once', async () => {
    const [mine, another] = [await logIn(), await logIn()]
    assert.equal((await mine('POST', '/identity/logout', { everywhere: true })).status, 204)
    assert.equal((await mine('GET', '/identity/me')).status, 401)
    assert.equal((await another('GET', '/identity/me')).status, 401)
    assert.equal((await (await logIn())('GET', '/identity/me')).status, 200)
  })

  test('is what logout and me ask for: a key alone is not enough', async () => {
    for (const [method, path] of [
      ['POST', '/identity/logout'],
      ['GET', '/identity/me'],
    ] as const) {
      const { status, json } = await acme.call(method, path)
      assert.deepEqual([status, json.code], [401, 5002])
    }
  })

  test('is not ended by a body that can’t be read', async () => {
    const mine = await logIn()
    assert.equal((await mine('POST', '/identity/logout', { everywhere: 'yes' })).status, 400)
    assert.equal((await mine('GET', '/identity/me')).status, 200)
  })
})
