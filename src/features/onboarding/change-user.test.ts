import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { callerAs, makeDepartment, makeUser } from './testing/people.ts'

const PATH = '/onboarding/user'

describe('users', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant
  let sales: { id: string }

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
    sales = await makeDepartment(acme)
  })
  after(() => service.stop())

  const change = (id: string, fields: object) => acme.asAdministrator('PATCH', `${PATH}/${id}`, fields)

  test('are created in the caller’s department or the one that is named', async () => {
    const fields = { email: 'Ada@example.com', firstName: 'Ada', role: 'clerk', phone: '+358 40 1234567' }
    const { status, json } = await acme.asAdministrator('POST', PATH, fields)
    assert.equal(status, 200)
    assert.deepEqual(json, {
      id: json.id,
      role: 'clerk',
      firstName: 'Ada',
      lastName: null,
      email: 'Ada@example.com',
      phone: '+358401234567',
      externalReference: null,
      language: null,
      timezone: null,
      departmentId: acme.rootDepartmentId,
      isActive: true,
      hasPassword: false,
      hasSecondFactor: false,
    })
    const named = await makeUser(acme, { email: 'named@example.com', departmentId: sales.id })
    assert.equal(named.departmentId, sales.id)
    assert.equal(named.role, 'user')
  })

  test('are listed within reach, newest first, by department and by e-mail', async () => {
    const tenant = await service.createTenant('Lists')
    const department = await makeDepartment(tenant, { users: [{ email: 'one@example.com', role: 'admin' }] })
    const two = await makeUser(tenant, { email: 'Two@example.com' })
    const one = { ...department.users[0], departmentId: department.id }
    const ids = async (call: typeof tenant.call, query = '') => {
      const { status, json } = await call('GET', `${PATH}${query}`)
      assert.equal(status, 200)
      assert.equal(json.total, json.items.length)
      return json.items.map((item: { id: string }) => item.id)
    }
    assert.deepEqual(await ids(tenant.asAdministrator), [two.id, one.id, tenant.administratorId])
    assert.deepEqual(await ids(tenant.asAdministrator, '?email=TWO@example.com'), [two.id])
    assert.deepEqual(await ids(tenant.asAdministrator, `?departmentId=${department.id}`), [one.id])
    const callAsOne = await callerAs(service, tenant, one)
    assert.deepEqual(await ids(callAsOne), [one.id])
    const page = await tenant.asAdministrator('GET', `${PATH}?skip=1&take=1`)
    assert.deepEqual([page.json.total, page.json.items[0].id], [3, one.id])
  })

  test('are changed in what is named, and move between departments', async () => {
    const user = await makeUser(acme, { email: 'mover@example.com', firstName: 'M', timezone: 'UTC' })
    const fields = {
      lastName: 'Over',
      timezone: '',
      email: 'Moved@example.com',
      departmentId: sales.id,
      language: 'fi',
    }
    const { status, json } = await change(user.id, fields)
    assert.equal(status, 200)
    assert.deepEqual(json, { ...user, ...fields, timezone: null })
  })

  test('lose and regain their place at once', async () => {
    const user = await makeUser(acme, { email: 'out@example.com', departmentId: sales.id, role: 'admin' })
    const callAsUser = await callerAs(service, acme, user)
    assert.equal((await callAsUser('GET', PATH)).status, 200)
    assert.equal((await change(user.id, { isActive: false })).json.isActive, false)
    const refused = await callAsUser('GET', PATH)
    assert.deepEqual([refused.status, refused.json.classification], [401, 'AuthorizationError'])
    assert.equal((await acme.asAdministrator('POST', `${PATH}/${user.id}/invitation`)).json.code, 7505)
    assert.equal((await change(user.id, { isActive: true })).json.isActive, true)
    assert.equal((await callAsUser('GET', PATH)).status, 200)
    await change(user.id, { role: 'clerk' })
    assert.equal((await callAsUser('GET', PATH)).json.code, 6001)
  })

  test('keep one e-mail each: of ten who take the same at once, one gets it', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => acme.asAdministrator('POST', PATH, { email: 'Same@example.com' })),
    )
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1)
    for (const { json } of replies.filter((reply) => reply.status !== 200)) {
      assert.deepEqual([json.code, json.classification], [3501, 'UniqueConstraint'])
    }
    const user = await makeUser(acme, { email: 'different@example.com' })
    assert.equal((await change(user.id, { email: 'same@EXAMPLE.com' })).json.code, 3501)
    assert.equal((await change(user.id, { email: 'Different@example.com' })).status, 200)
    assert.equal((await other.asAdministrator('POST', PATH, { email: 'same@example.com' })).status, 200)
  })

  test('are invited again by e-mail where that is asked for', async () => {
    const user = await makeUser(acme, { email: `${newId()}@example.com` })
    const messages = async () => (await acme.asAdministrator('GET', '/messages')).json.items.length
    const before = await messages()
    assert.equal((await acme.asAdministrator('POST', `${PATH}/${user.id}/invitation`)).status, 200)
    assert.equal(await messages(), before)
    const { status, json } = await acme.asAdministrator('POST', `${PATH}/${user.id}/invitation`, { deliver: true })
    assert.equal(status, 200)
    assert.ok(json.token)
    assert.equal(await messages(), before + 1)
  })

  test('with a new address have a new invitation, and the old one is dead', async () => {
    const user = await makeUser(acme, { email: 'first@example.com' })
    const { json } = await acme.asAdministrator('POST', `${PATH}/${user.id}/invitation`)
    service.clock.advance(1)
    await change(user.id, { email: 'second@example.com' })
    const password = 'a password for the tests'
    assert.equal((await acme.call('POST', '/identity/password', { token: json.token, password })).json.code, 1501)
    const rows = await service.database.asOwner('select kind from credential where ref_id = $1', [user.id])
    assert.deepEqual(rows, [{ kind: 'invitation' }])
  })

  test('can’t deactivate themselves, nor can the root lose its last administrator', async () => {
    const oneself = await change(acme.administratorId, { isActive: false })
    assert.deepEqual([oneself.status, oneself.json.code], [400, 7504])
    const second = await makeUser(acme, { email: 'second-admin@example.com', role: 'Owner' })
    const callAsSecond = await callerAs(service, acme, second)
    assert.equal((await callAsSecond('PATCH', `${PATH}/${acme.administratorId}`, { role: 'clerk' })).status, 200)
    for (const fields of [{ role: 'clerk' }, { departmentId: sales.id }]) {
      const { status, json } = await callAsSecond('PATCH', `${PATH}/${second.id}`, fields)
      assert.deepEqual([status, json.code], [400, 7503])
    }
    assert.equal((await callAsSecond('PATCH', `${PATH}/${acme.administratorId}`, { role: 'admin' })).status, 200)
  })

  test('two administrators who deactivate each other at once: one stays', async () => {
    const duel = async () => {
      const tenant = await service.createTenant('Duel')
      const rival = await makeUser(tenant, { email: 'rival@example.com', role: 'administrator' })
      const callAsRival = await callerAs(service, tenant, rival)
      await callAsRival('GET', '/identity/me')
      const replies = await Promise.all([
        tenant.asAdministrator('PATCH', `${PATH}/${rival.id}`, { isActive: false }),
        callAsRival('PATCH', `${PATH}/${tenant.administratorId}`, { isActive: false }),
      ])
      assert.equal(replies.filter((reply) => reply.status === 200).length, 1)
    }
    await Promise.all(Array.from({ length: 5 }, duel))
  })

  test('are out of reach, unknown or malformed as everywhere', async () => {
    const admin = await makeUser(acme, { email: 'sales-admin@example.com', role: 'admin', departmentId: sales.id })
    const callAsAdmin = await callerAs(service, acme, admin)
    const outside = await makeUser(acme, { email: 'outside@example.com' })
    for (const reply of [
      await callAsAdmin('PATCH', `${PATH}/${outside.id}`, { firstName: 'X' }),
      await callAsAdmin('POST', `${PATH}/${outside.id}/invitation`),
      await callAsAdmin('PATCH', `${PATH}/${admin.id}`, { departmentId: acme.rootDepartmentId }),
      await callAsAdmin('POST', PATH, { email: 'x@example.com', departmentId: acme.rootDepartmentId }),
    ]) {
      assert.deepEqual([reply.status, reply.json.code], [401, 6000])
    }
    for (const id of [newId(), other.administratorId, acme.serviceUserId]) {
      assert.equal((await change(id, { firstName: 'X' })).json.code, 2000)
      assert.equal((await acme.asAdministrator('POST', `${PATH}/${id}/invitation`)).json.code, 2000)
    }
    const cases: [fields: object, code: number][] = [
      [{ email: 'no address' }, 1000],
      [{ role: '' }, 1000],
      [{ isActive: 'no' }, 1000],
      [{ departmentId: newId() }, 4000],
      [{ departmentId: other.rootDepartmentId }, 4000],
    ]
    for (const [fields, code] of cases) {
      const { status, json } = await change(outside.id, fields)
      assert.deepEqual([status, json.code], [400, code], JSON.stringify(fields))
    }
    assert.equal((await change('me', {})).json.code, 1000)
  })

  test('are no business of a key without a bearer, nor of ordinary users', async () => {
    const clerk = await makeUser(acme, { email: 'plain@example.com' })
    const callAsClerk = await callerAs(service, acme, clerk)
    for (const call of [acme.call, callAsClerk]) {
      for (const [method, path] of [
        ['GET', PATH],
        ['POST', PATH],
        ['PATCH', `${PATH}/${clerk.id}`],
        ['POST', `${PATH}/${clerk.id}/invitation`],
        ['GET', '/onboarding/subscriptionkey'],
        ['POST', '/onboarding/subscriptionkey'],
        ['POST', `/onboarding/subscriptionkey/${acme.keyId}/rotate`],
        ['DELETE', `/onboarding/subscriptionkey/${acme.keyId}`],
      ] as const) {
        const { status, json } = await call(method, path, method === 'GET' ? undefined : { which: 'primary' })
        assert.deepEqual([status, json.code], [401, 6001], `${method} ${path}`)
      }
    }
  })
})
