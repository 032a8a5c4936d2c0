import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { newId } from '#platform/ids.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import { makeDepartment } from './testing/people.ts'

const PATH = '/onboarding/department'

describe('changing a department', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  const change = (id: string, fields: object) => acme.call('PATCH', `${PATH}/${id}`, fields)

  async function pathOf(id: string): Promise<unknown> {
    return (await service.database.asOwner('select path from department where id = $1', [id]))[0]!.path
  }

  test('changes what is named and leaves the rest; an empty text empties a field', async () => {
    const { users: _users, ...made } = await makeDepartment(acme, {
      shortName: 'S',
      businessId: 'b',
      contactEmail: 'a@b.fi',
    })
    const { status, json } = await change(made.id, {
      name: 'Renamed',
      shortName: '',
      businessId: null,
      retentionDays: 90,
    })
    assert.equal(status, 200)
    const changed = { ...made, name: 'Renamed', shortName: null, retentionDays: 90, subscriptionTier: null }
    assert.deepEqual(json, changed)
    assert.deepEqual((await change(made.id, {})).json, changed)
    assert.equal((await change(made.id, { retentionDays: 0 })).json.retentionDays, null)
  })

  test('the root may be renamed, but not moved', async () => {
    assert.equal((await change(acme.rootDepartmentId, { name: 'Acme Ltd' })).json.name, 'Acme Ltd')
    const below = await makeDepartment(acme)
    const { status, json } = await change(acme.rootDepartmentId, { parentDepartmentId: below.id })
    assert.deepEqual([status, json.code], [400, 7500])
  })

  test('moves everything below it, and reach moves with it', async () => {
    const [from, to] = [await makeDepartment(acme), await makeDepartment(acme)]
    const moved = await makeDepartment(acme, { parentDepartmentId: from.id })
    const leaf = await makeDepartment(acme, { parentDepartmentId: moved.id })
    const [callAsFrom, callAsTo] = [
      await service.createDepartmentKey(acme, from.id),
      await service.createDepartmentKey(acme, to.id),
    ]
    assert.equal((await callAsFrom('PATCH', `${PATH}/${leaf.id}`, {})).status, 200)
    assert.equal((await callAsTo('PATCH', `${PATH}/${leaf.id}`, {})).status, 401)
    assert.equal((await change(moved.id, { parentDepartmentId: to.id })).json.parentDepartmentId, to.id)
    assert.deepEqual(await pathOf(leaf.id), [acme.rootDepartmentId, to.id, moved.id, leaf.id])
    assert.equal((await callAsFrom('PATCH', `${PATH}/${leaf.id}`, {})).status, 401)
    assert.equal((await callAsTo('PATCH', `${PATH}/${leaf.id}`, {})).status, 200)
  })

  test('refuses circles', async () => {
    const top = await makeDepartment(acme)
    const below = await makeDepartment(acme, { parentDepartmentId: top.id })
    for (const parentDepartmentId of [top.id, below.id]) {
      const { status, json } = await change(top.id, { parentDepartmentId })
      assert.deepEqual([status, json.code], [400, 7501])
    }
  })

  test('two moves below each other at once: one wins', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await makeDepartment(acme), await makeDepartment(acme)]
      const replies = await Promise.all([
        change(one.id, { parentDepartmentId: two.id }),
        change(two.id, { parentDepartmentId: one.id }),
      ])
      assert.deepEqual(
        replies.map((reply) => reply.status).sort((a, b) => a - b),
        [200, 400],
      )
    }
  })

  test('one that somebody deletes at the same moment is unknown', async () => {
    const { id } = await makeDepartment(acme)
    const deleting = new pg.Client(service.database.connection)
    await deleting.connect()
    try {
      await deleting.query('begin')
      await deleting.query('update department set deleted_at = now() where id = $1', [id])
      const changing = change(id, { name: 'New name' })
      await until('the change to wait for the other', async () => {
        const waiting = await service.database.asOwner(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return waiting.length > 0
      })
      await deleting.query('commit')
      const { status, json } = await changing
      const unknown = await change(newId(), { name: 'New name' })
      assert.deepEqual([status, json.code], [unknown.status, unknown.json.code])
    } finally {
      await deleting.end()
    }
  })

  test('refuses what is out of reach, unknown, taken or malformed', async () => {
    await makeDepartment(acme, { externalReference: 'taken' })
    const [own, sibling] = [await makeDepartment(acme), await makeDepartment(acme)]
    const callAsOwn = await service.createDepartmentKey(acme, own.id)
    assert.equal((await callAsOwn('PATCH', `${PATH}/${sibling.id}`, { name: 'Mine' })).status, 401)
    const child = await makeDepartment(acme, { parentDepartmentId: own.id })
    const outward = await callAsOwn('PATCH', `${PATH}/${child.id}`, { parentDepartmentId: sibling.id })
    assert.equal(outward.status, 401)
    for (const id of [newId(), other.rootDepartmentId, 'x']) assert.equal((await change(id, {})).json.code, 2000)
    const cases: [fields: object, code: number][] = [
      [{ externalReference: 'taken' }, 3500],
      [{ parentDepartmentId: newId() }, 4000],
      [{ parentDepartmentId: other.rootDepartmentId }, 4000],
      [{ name: '' }, 1000],
      [{ retentionDays: -1 }, 1000],
      [{ retentionDays: 36_501 }, 1000],
      [{ retentionDays: '5' }, 1000],
    ]
    for (const [fields, code] of cases) {
      const { status, json } = await change(own.id, fields)
      assert.deepEqual([status, json.code], [400, code], JSON.stringify(fields))
    }
  })
})

describe('changing the tenant', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  const change = (fields: object) => acme.call('PATCH', '/onboarding/tenant', fields)

  test('sets the origins to return to and the opt-ins, and leaves the rest', async () => {
    const returnOrigins = ['https://App.example.com', 'https://app.example.com/', 'https://b.example:8443']
    const { status, json } = await change({ returnOrigins })
    assert.equal(status, 200)
    const expected = {
      id: acme.tenantId,
      name: 'Acme',
      returnOrigins: ['https://app.example.com', 'https://b.example:8443'],
      personalIdentifierInCertificates: false,
    }
    assert.deepEqual(json, expected)
    const optedIn = await change({ name: 'Acme Ltd', personalIdentifierInCertificates: true })
    assert.deepEqual(optedIn.json, { ...expected, name: 'Acme Ltd', personalIdentifierInCertificates: true })
    assert.deepEqual((await change({ returnOrigins: [] })).json.returnOrigins, [])
  })

  test('takes nothing but https origins', async () => {
    const values = [
      'http://app.example.com',
      'https://app.example.com/path',
      'https://app.example.com?',
      'https://user@app.example.com',
      'https://*.example.com/x',
      'javascript:alert(1)',
      'null',
      '',
    ]
    for (const value of values) {
      const { status, json } = await change({ returnOrigins: ['https://fine.example', value] })
      assert.equal(status, 400, value)
      assert.match(json.message, /^returnOrigins\[1\]: /)
    }
    assert.equal(
      (await change({ returnOrigins: Array.from({ length: 51 }, (_, n) => `https://h${n}.example`) })).status,
      400,
    )
  })

  test('is for those who reach all of it', async () => {
    const { id } = await makeDepartment(acme)
    const callAsDepartment = await service.createDepartmentKey(acme, id)
    assert.equal((await callAsDepartment('PATCH', '/onboarding/tenant', { name: 'Ours' })).status, 401)
  })
})
