import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { makeCaller, startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { callerAs, makeDepartment, makeUser } from './testing/people.ts'

const PATH = '/onboarding/subscriptionkey'

describe('subscription keys', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  async function makeKey(fields: object = {}) {
    const { status, json } = await acme.asAdministrator('POST', PATH, { name: 'Integration', ...fields })
    assert.equal(status, 200)
    return json
  }
  const rotate = (id: string, which: string) => acme.asAdministrator('POST', `${PATH}/${id}/rotate`, { which })
  const statusWith = async (value: string) =>
    (await makeCaller(service.url, { 'ocp-apim-subscription-key': value })('GET', '/onboarding/department')).status

  test('are made with two values that both work, shown this once', async () => {
    const { primaryKey, secondaryKey, ...key } = await makeKey()
    assert.match(primaryKey, /^csk_[\w-]{43}$/)
    assert.notEqual(primaryKey, secondaryKey)
    assert.deepEqual([await statusWith(primaryKey), await statusWith(secondaryKey)], [200, 200])
    const { json, text } = await acme.asAdministrator('GET', PATH)
    assert.equal(json.total, 2)
    assert.ok(json.items[0].lastUsedDate)
    const { callsToday, callsLast30Days, ...listed } = json.items[0]
    assert.deepEqual(listed, { ...key, lastUsedDate: listed.lastUsedDate })
    assert.ok(callsToday >= 1 && callsLast30Days >= callsToday)
    assert.ok(!text.includes(primaryKey) && !text.includes(secondaryKey))
  })

  test('count how often they are used, without a write a call', async () => {
    const { id, primaryKey } = await makeKey()
    const call = makeCaller(service.url, { 'ocp-apim-subscription-key': primaryKey })
    const used = async () => {
      const { json } = await acme.asAdministrator('GET', PATH)
      const { callsToday, callsLast30Days } = json.items.find((key: { id: string }) => key.id === id)
      return [callsToday, callsLast30Days]
    }
    assert.deepEqual(await used(), [0, 0])
    for (let number = 0; number < 5; number++) await call('GET', '/onboarding/department')
    assert.deepEqual(await used(), [1, 1], 'the first is written at once, the others wait for their minute')
    await service.platform.authenticator.flushUsage()
    assert.deepEqual(await used(), [5, 5])
    await service.platform.authenticator.flushUsage()
    assert.deepEqual(await used(), [5, 5], 'nothing is written twice')
    await service.database.asOwner(`update subscription_key_usage set day = day - 1 where key_id = $1`, [id])
    assert.deepEqual(await used(), [0, 5])
    await service.database.asOwner(`update subscription_key_usage set day = day - 29 where key_id = $1`, [id])
    assert.deepEqual(await used(), [0, 0])
  })

  test('reach the department that they are made for', async () => {
    const sales = await makeDepartment(acme)
    const { primaryKey, serviceUserId } = await makeKey({ departmentId: sales.id })
    const call = makeCaller(service.url, { 'ocp-apim-subscription-key': primaryKey })
    const { json } = await call('GET', '/onboarding/department')
    assert.deepEqual([json.total, json.items[0].id], [1, sales.id])
    assert.equal((await call('GET', `/user/profile/${serviceUserId}`)).json.departamentId, sales.id)
  })

  test('are rotated one value at a time: the other goes on', async () => {
    const { id, primaryKey, secondaryKey } = await makeKey()
    const first = await rotate(id, 'Primary')
    assert.equal(first.status, 200)
    assert.equal(first.json.secondaryKey, undefined)
    assert.ok(first.json.rotationDate)
    const renewed = first.json.primaryKey
    assert.deepEqual(
      [await statusWith(primaryKey), await statusWith(secondaryKey), await statusWith(renewed)],
      [401, 200, 200],
    )
    const second = (await rotate(id, 'secondary')).json
    assert.equal(second.primaryKey, undefined)
    assert.deepEqual(
      [await statusWith(secondaryKey), await statusWith(renewed), await statusWith(second.secondaryKey)],
      [401, 200, 200],
    )
  })

  test('go on without a gap while the other value is rotated', async () => {
    const { id, secondaryKey } = await makeKey()
    const [statuses] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => statusWith(secondaryKey))),
      rotate(id, 'primary'),
      rotate(id, 'primary'),
    ])
    assert.deepEqual(new Set(statuses), new Set([200]))
  })

  test('rotated ten times at once have two values in the end', async () => {
    const { id } = await makeKey()
    const replies = await Promise.all(Array.from({ length: 10 }, () => rotate(id, 'primary')))
    const values = replies.map((reply) => reply.json.primaryKey)
    const statuses = await Promise.all(values.map(statusWith))
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    const rows = await service.database.asOwner('select kind from credential where ref_id = $1', [id])
    assert.equal(rows.length, 2)
  })

  test('are revoked at once, both values', async () => {
    const { id, name, primaryKey, secondaryKey, serviceUserId } = await makeKey()
    assert.deepEqual([await statusWith(primaryKey), await statusWith(secondaryKey)], [200, 200])
    const { status, json } = await acme.asAdministrator('DELETE', `${PATH}/${id}`)
    assert.deepEqual([status, json.id, json.name], [200, id, name])
    assert.deepEqual([await statusWith(primaryKey), await statusWith(secondaryKey)], [401, 401])
    assert.equal((await acme.asAdministrator('DELETE', `${PATH}/${id}`)).json.code, 2000)
    assert.equal((await rotate(id, 'primary')).json.code, 2000)
    assert.equal((await acme.call('GET', `/user/profile/${serviceUserId}`)).status, 200)
  })

  test('are refused cut off, in another case, turned round, doubled or with something before or behind', async () => {
    const { primaryKey: key } = await makeKey()
    assert.equal(await statusWith(key), 200)
    const others = [
      key.slice(0, -1),
      key.slice(0, key.length / 2),
      key.toUpperCase(),
      key.toLowerCase(),
      [...key].toReversed().join(''),
      key + key,
      `x${key}`,
      `${key}x`,
      `${key}=`,
      key.slice(4),
      'csk_',
    ]
    for (const other of others) assert.equal(await statusWith(other), 401, other)
    assert.equal(await statusWith(key), 200)
  })

  test('are answered again under the same Idempotency-Key, from an encrypted copy', async () => {
    const call = () =>
      acme.asAdministrator('POST', PATH, { name: 'Once' }, { headers: { 'idempotency-key': 'make-one' } })
    const [first, second] = [await call(), await call()]
    assert.deepEqual(second.json, first.json)
    const rows = await service.database.asOwner(
      `select body, is_encrypted from idempotent_answer where key = 'make-one'`,
    )
    assert.equal(rows[0]!.is_encrypted, true)
    assert.ok(!(rows[0]!.body as Buffer).includes(first.json.primaryKey))
  })

  test('are out of reach, unknown or malformed as everywhere', async () => {
    const sales = await makeDepartment(acme)
    const admin = await makeUser(acme, { email: 'sales@example.com', role: 'admin', departmentId: sales.id })
    const callAsAdmin = await callerAs(service, acme, admin)
    for (const reply of [
      await callAsAdmin('DELETE', `${PATH}/${acme.keyId}`),
      await callAsAdmin('POST', `${PATH}/${acme.keyId}/rotate`, { which: 'primary' }),
      await callAsAdmin('POST', PATH, { name: 'Wide', departmentId: acme.rootDepartmentId }),
    ]) {
      assert.deepEqual([reply.status, reply.json.code], [401, 6000])
    }
    assert.equal((await callAsAdmin('GET', PATH)).json.total, 0)
    for (const id of [newId(), other.keyId]) {
      assert.equal((await rotate(id, 'primary')).json.code, 2000)
      assert.equal((await acme.asAdministrator('DELETE', `${PATH}/${id}`)).json.code, 2000)
    }
    assert.equal((await rotate('x', 'primary')).json.code, 1000)
    assert.equal((await rotate(acme.keyId, 'both')).json.message, 'which: must be one of primary, secondary')
    const bodies = [{}, { name: '' }, { name: 'A', departmentId: 'x' }]
    for (const body of bodies) assert.equal((await acme.asAdministrator('POST', PATH, body)).json.code, 1000)
    for (const departmentId of [newId(), other.rootDepartmentId]) {
      assert.equal((await acme.asAdministrator('POST', PATH, { name: 'A', departmentId })).json.code, 4000)
    }
  })
})
