import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { callerAs, makeDepartment, makeUser } from './testing/people.ts'

const PATH = '/onboarding/department'

describe('deleting a department', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  const force = (id: string) => acme.call('DELETE', `${PATH}/${id}`, { ForceDelete: true })

  test('that is empty answers with it, and it is gone', async () => {
    const { users: _users, ...made } = await makeDepartment(acme, { externalReference: 'empty' })
    const { status, json } = await acme.call('DELETE', `${PATH}/${made.id.toUpperCase()}/`)
    assert.equal(status, 200)
    assert.deepEqual(json, made)
    const again = await acme.call('DELETE', `${PATH}/${made.id}`)
    assert.equal(again.status, 400)
    assert.equal(again.json.classification, 'EntityNotFound')
    assert.equal((await acme.call('GET', `${PATH}?externalReference=empty`)).json.total, 0)
    await makeDepartment(acme, { externalReference: 'empty' })
  })

  test('knows neither other tenants’ ids nor what is no id at all', async () => {
    for (const id of [
      newId(),
      other.rootDepartmentId,
      'sales',
      '%F0%9F%92%A9',
      '00000000-0000-0000-0000-000000000000',
    ]) {
      const { status, json } = await acme.call('DELETE', `${PATH}/${id}`, { ForceDelete: true })
      assert.equal(status, 400, id)
      assert.equal(json.code, 2000)
      assert.equal(json.classification, 'EntityNotFound')
    }
  })

  test('never takes the root', async () => {
    const { status, json } = await force(acme.rootDepartmentId)
    assert.equal(status, 400)
    assert.equal(json.classification, 'InvalidOperation')
  })

  test('outside the caller’s reach is 401', async () => {
    const [own, sibling] = [await makeDepartment(acme), await makeDepartment(acme)]
    const callAsOwn = await service.createDepartmentKey(acme, own.id)
    for (const id of [sibling.id, acme.rootDepartmentId]) {
      const { status, json } = await callAsOwn('DELETE', `${PATH}/${id}`)
      assert.equal(status, 401)
      assert.equal(json.code, 6000)
    }
  })

  test('refuses a ForceDelete that is no boolean', async () => {
    const { id } = await makeDepartment(acme)
    for (const body of [{ ForceDelete: 'yes' }, { forceDelete: 1 }, { forceDelete: true, ForceDelete: true }, []]) {
      assert.equal((await acme.call('DELETE', `${PATH}/${id}`, body)).status, 400)
    }
    assert.equal((await acme.call('DELETE', `${PATH}/${id}`, { forceDelete: null })).status, 200)
  })

  test('without force refuses while users, sub-departments or requests are there', async () => {
    const withUser = await makeDepartment(acme, { users: [{ email: 'here@example.com' }] })
    const withChild = await makeDepartment(acme)
    await makeDepartment(acme, { parentDepartmentId: withChild.id })
    const withRequest = await makeDepartment(acme)
    await insertSealingRequest(withRequest.id, 'Closed')
    const cases = [
      [withUser.id, 'users'],
      [withChild.id, 'sub-departments'],
      [withRequest.id, 'sealing requests'],
    ]
    for (const [id, what] of cases) {
      for (const body of [undefined, {}, { ForceDelete: false }]) {
        const { status, json } = await acme.call('DELETE', `${PATH}/${id}`, body)
        assert.equal(status, 400)
        assert.equal(json.code, 4500)
        assert.equal(json.classification, 'ReferenceConstraint')
        assert.match(json.message, new RegExp(what))
      }
    }
  })

  test('with force takes the whole subtree: people, keys, hooks, templates and requests that are not finished', async () => {
    const top = await makeDepartment(acme, { externalReference: 'top' })
    const below = await makeDepartment(acme, {
      parentDepartmentId: top.id,
      externalReference: 'below',
      users: [{ email: 'leaver@example.com', role: 'admin' }],
    })
    const leaver = { ...below.users[0], departmentId: below.id }
    const callAsLeaver = await callerAs(service, acme, leaver)
    const callAsBelow = await service.createDepartmentKey(acme, below.id)
    assert.equal((await callAsBelow('GET', PATH)).status, 200)
    assert.equal((await callAsLeaver('GET', PATH)).status, 200)
    const draft = await insertSealingRequest(below.id, 'Draft')
    const signature = await acme.call('POST', '/onestepsigning/signaturerequest', {
      subject: 'Draft',
      departmentId: below.id,
    })
    assert.equal(signature.status, 202, signature.text)
    const closed = await insertSealingRequest(below.id, 'Closed')
    await insertTemplateAndHook(below.id)

    const { status, json } = await acme.call('DELETE', `${PATH}/${top.id}`, { forceDelete: true })
    assert.equal(status, 200, JSON.stringify(json))
    assert.equal((await callAsBelow('GET', PATH)).status, 401)
    const asLeaver = await callAsLeaver('GET', PATH)
    assert.equal(asLeaver.status, 401)
    assert.equal(asLeaver.json.classification, 'AuthorizationError')
    assert.deepEqual(await statusesOf([draft, closed]), ['Canceled', 'Closed'])
    const request = await acme.call('GET', `/signing/signaturerequest/${signature.json.id}`)
    assert.deepEqual([request.status, request.json.status], [200, 'Canceled'])
    assert.equal((await acme.call('GET', `/user/profile/${leaver.id}`)).status, 204)
    const left = await service.database.asOwner(
      `select (select count(*)::int from credential where ref_id = $2) as credentials,
              (select count(*)::int from request_template where department_id = $1 and deleted_at is null) as templates,
              (select count(*)::int from hook_subscription where department_id = $1 and state = 'active') as hooks,
              (select count(*)::int from subscription_key where department_id = $1 and revoked_at is null) as keys`,
      [below.id, leaver.id],
    )
    assert.deepEqual(left, [{ credentials: 0, templates: 0, hooks: 0, keys: 0 }])
    await makeDepartment(acme, { externalReference: 'below', users: [{ email: 'leaver@example.com' }] })
  })

  test('twenty at once: one wins, the others find nothing', async () => {
    const { id } = await makeDepartment(acme)
    const replies = await Promise.all(Array.from({ length: 20 }, () => force(id)))
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1)
    for (const { json } of replies.filter((reply) => reply.status !== 200)) assert.equal(json.code, 2000)
  })

  test('while others create inside it: nothing alive is left below it', async () => {
    const { id } = await makeDepartment(acme)
    const replies = await Promise.all([
      ...Array.from({ length: 6 }, (_, index) =>
        acme.call('POST', PATH, {
          department: { name: 'In', parentDepartmentId: id, users: [{ email: `in-${index}@example.com` }] },
        }),
      ),
      force(id),
      ...Array.from({ length: 6 }, (_, index) =>
        acme.asAdministrator('POST', '/onboarding/user', { email: `late-${index}@example.com`, departmentId: id }),
      ),
    ])
    assert.equal(replies[6]!.status, 200)
    for (const reply of replies) assert.ok(reply.status === 200 || reply.json.code === 4000, reply.text)
    const alive = await service.database.asOwner(
      `select d.id from department d where $1 = any(d.path) and d.deleted_at is null
       union all
       select u.id from app_user u join department d on d.tenant_id = u.tenant_id and d.id = u.department_id
        where $1 = any(d.path) and u.deleted_at is null`,
      [id],
    )
    assert.deepEqual(alive, [])
  })

  test('while others make requests in it: none is left open', async () => {
    for (let round = 0; round < 3; round++) {
      const { id } = await makeDepartment(acme)
      const make = () => acme.call('PUT', `/sealing/sealingrequest/${newId()}`, { subject: 'Late', departmentId: id })
      const replies = await Promise.all([make(), make(), make(), force(id), make(), make(), make()])
      assert.equal(replies[3].status, 200)
      for (const reply of replies) assert.ok(reply.status === 200 || reply.json.code === 4000, reply.text)
      const left = await service.database.asOwner(
        `select id from sealing_request where department_id = $1 and status in ('Draft', 'Open')`,
        [id],
      )
      assert.deepEqual(left, [])
    }
  })

  test('an administrator of the department’s own subtree may delete what is below', async () => {
    const top = await makeDepartment(acme)
    const below = await makeDepartment(acme, { parentDepartmentId: top.id })
    const admin = await makeUser(acme, { email: 'sub@example.com', role: 'ADMIN', departmentId: top.id })
    const callAsAdmin = await callerAs(service, acme, admin)
    assert.equal((await callAsAdmin('DELETE', `${PATH}/${below.id}`)).status, 200)
  })

  async function insertSealingRequest(departmentId: string, status: 'Draft' | 'Closed'): Promise<string> {
    const id = newId()
    const path = `/sealing/sealingrequest/${id}`
    const { status: made, text } = await acme.call('PUT', path, { subject: 'Seal', departmentId })
    assert.equal(made, 200, text)
    await service.database.asOwner('update sealing_request set status = $1 where id = $2', [status, id])
    return id
  }

  async function statusesOf(ids: string[]): Promise<unknown[]> {
    const rows = await service.database.asOwner(
      'select status from sealing_request where id = any($1) order by array_position($1, id)',
      [ids],
    )
    return rows.map((row) => row.status)
  }

  async function insertTemplateAndHook(departmentId: string): Promise<void> {
    const values = [acme.tenantId, newId(), departmentId, acme.serviceUserId]
    await service.database.asOwner(
      `insert into request_template (tenant_id, id, kind, department_id, name, fields, created_at, modified_at)
       values ($1, $2, 'sealing', $3, 'Preset', '{}', now(), now())`,
      values.slice(0, 3),
    )
    await service.database.asOwner(
      `insert into hook_subscription (tenant_id, id, event_type, uri, header_names, secret, department_id, subdepartments, creator_id, state, created_at)
       values ($1, $2, 'signatorysigned', 'https://example.com', '{}', '', $3, false, $4, 'active', now())`,
      values,
    )
  }
})
