import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { callerAs, makeDepartment, makeUser } from './testing/people.ts'

const PATH = '/onboarding/department'

describe('creating a department', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  async function countRows(table: string): Promise<number> {
    const rows = await service.database.asOwner(`select count(*)::int as n from ${table} where tenant_id = $1`, [
      acme.tenantId,
    ])
    return Number(rows[0]!.n)
  }

  test('answers with the department as listed and its users with ids', async () => {
    const user = {
      role: 'Owner',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'Ada@example.com',
      phone: '00358 40-1234567',
      externalReference: 'hr-1',
      language: 'en-gb',
      timezone: 'Europe/Helsinki',
    }
    const { status, json } = await acme.call('POST', PATH, {
      department: {
        name: 'Sales',
        shortName: 'S',
        contactEmail: 'sales@example.com',
        businessId: '123-4',
        externalReference: 'dep-1',
        subscriptionTier: 'gold',
        users: [user, { email: 'bob@example.com' }],
        somethingElse: { is: 'ignored' },
      },
    })
    assert.equal(status, 200)
    const { id, users, ...rest } = json
    assert.deepEqual(rest, {
      name: 'Sales',
      shortName: 'S',
      contactEmail: 'sales@example.com',
      businessId: '123-4',
      externalReference: 'dep-1',
      tenantId: acme.tenantId,
      parentDepartmentId: acme.rootDepartmentId,
    })
    assert.match(id, /^[0-9a-f-]{14}7/)
    const [ada, bob] = users
    assert.deepEqual(ada, { ...user, id: ada.id, phone: '+358401234567', language: 'en-GB' })
    assert.equal(bob.role, 'user')
    assert.equal(bob.firstName, null)
    const listed = await acme.call('GET', `${PATH}?externalReference=dep-1`)
    assert.deepEqual(listed.json, { total: 1, items: [{ id, ...rest }] })
    assert.equal((await acme.call('GET', `/user/profile/${ada.id}`)).json.departamentId, id)
  })

  test('leaves an invitation for each user, and none in the answer', async () => {
    const { users } = await makeDepartment(acme, { users: [{ email: 'invited@example.com' }] })
    const rows = await service.database.asOwner('select kind, expires_at from credential where ref_id = $1', [
      users[0].id,
    ])
    assert.equal(rows.length, 1)
    assert.equal(rows[0]!.kind, 'invitation')
    assert.ok((rows[0]!.expires_at as Date) > service.clock.now())
    assert.ok(!('token' in users[0]))
  })

  test('reads a body of either content type, or of none', async () => {
    for (const type of ['application/json', 'application/json-patch+json', '']) {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
      const raw = Buffer.from(JSON.stringify({ department: { name: 'Any' } }))
      assert.equal((await acme.call('POST', PATH, undefined, { headers, raw })).status, 200)
    }
  })

  test('hangs below the parent that is named, else below the caller’s own department', async () => {
    const parent = await makeDepartment(acme)
    const child = await makeDepartment(acme, { parentDepartmentId: parent.id.toUpperCase() })
    assert.equal(child.parentDepartmentId, parent.id)
    const callAsParent = await service.createDepartmentKey(acme, parent.id)
    const { json } = await callAsParent('POST', PATH, { department: { name: 'Own' } })
    assert.equal(json.parentDepartmentId, parent.id)
    const nil = await makeDepartment(acme, { parentDepartmentId: '00000000-0000-0000-0000-000000000000' })
    assert.equal(nil.parentDepartmentId, acme.rootDepartmentId)
  })

  test('refuses what is malformed, naming the field', async () => {
    const cases: [body: unknown, message: string][] = [
      [undefined, 'body: is required'],
      [[], 'body: must be an object'],
      [{}, 'department: is required'],
      [{ department: {} }, 'department.name: is required'],
      [{ department: { name: '' } }, 'department.name: must not be empty'],
      [{ department: { name: 7 } }, 'department.name: must be a text'],
      [{ department: { name: 'x'.repeat(256) } }, 'department.name: must have at most 255 characters'],
      [{ department: { name: 'A', contactEmail: 'no' } }, 'department.contactEmail: must be an e-mail address'],
      [{ department: { name: 'A', parentDepartmentId: 'x' } }, 'department.parentDepartmentId: must be a UUID'],
      [{ department: { name: 'A', users: [{}] } }, 'department.users[0].email: is required'],
      [
        { department: { name: 'A', users: [{ email: 'a@example.com', phone: '12' }] } },
        'department.users[0].phone: must be a phone number such as +358401234567',
      ],
    ]
    for (const [body, message] of cases) {
      const { status, json } = await acme.call('POST', PATH, body)
      assert.equal(status, 400)
      assert.deepEqual(json, { code: 1000, classification: 'InvalidArgument', message })
    }
  })

  test('knows no parent of another tenant, and none that was deleted', async () => {
    const gone = await makeDepartment(acme)
    await acme.call('DELETE', `${PATH}/${gone.id}`)
    for (const parentDepartmentId of [newId(), other.rootDepartmentId, gone.id]) {
      const { status, json } = await acme.call('POST', PATH, { department: { name: 'A', parentDepartmentId } })
      assert.equal(status, 400)
      assert.equal(json.classification, 'ReferenceConstraint')
      assert.match(json.message, /^department\.parentDepartmentId: /)
    }
  })

  test('outside the caller’s reach is 401, and so it is for ordinary users', async () => {
    const [own, sibling] = [await makeDepartment(acme), await makeDepartment(acme)]
    const callAsOwn = await service.createDepartmentKey(acme, own.id)
    for (const parentDepartmentId of [sibling.id, acme.rootDepartmentId]) {
      const { status, json } = await callAsOwn('POST', PATH, { department: { name: 'A', parentDepartmentId } })
      assert.equal(status, 401)
      assert.equal(json.classification, 'AuthorizationError')
    }
    const clerk = await makeUser(acme, { email: 'clerk@example.com', role: 'clerk', departmentId: own.id })
    const callAsClerk = await callerAs(service, acme, clerk)
    const { status, json } = await callAsClerk('POST', PATH, { department: { name: 'A' } })
    assert.equal(status, 401)
    assert.equal(json.classification, 'AuthorizationError')
  })

  test('needs references and e-mails of its own, or leaves nothing behind', async () => {
    await makeDepartment(acme, { externalReference: 'taken', users: [{ email: 'taken@example.com' }] })
    const before = [await countRows('department'), await countRows('app_user')]
    const cases: [fields: object, code: number, field: string][] = [
      [{ externalReference: 'taken' }, 3500, 'department.externalReference'],
      [{ users: [{ email: 'new@example.com' }, { email: 'TAKEN@Example.com' }] }, 3501, 'department.users[1].email'],
      [{ users: [{ email: 'twin@example.com' }, { email: 'Twin@example.com' }] }, 3501, 'department.users[1].email'],
    ]
    for (const [fields, code, field] of cases) {
      const { status, json } = await acme.call('POST', PATH, { department: { name: 'A', ...fields } })
      assert.equal(status, 400)
      assert.equal(json.code, code)
      assert.equal(json.classification, 'UniqueConstraint')
      assert.ok(json.message.startsWith(field), json.message)
    }
    assert.deepEqual([await countRows('department'), await countRows('app_user')], before)
    assert.equal(
      (await other.call('POST', PATH, { department: { name: 'A', externalReference: 'taken' } })).status,
      200,
    )
    for (let twice = 0; twice < 2; twice++) {
      assert.equal((await makeDepartment(acme, { externalReference: '' })).externalReference, null)
    }
  })

  test('ten at once with the same reference: one wins, the others hear why', async () => {
    const calls = Array.from({ length: 10 }, () =>
      acme.call('POST', PATH, { department: { name: 'Race', externalReference: 'race' } }),
    )
    const replies = await Promise.all(calls)
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1)
    for (const { json } of replies.filter((reply) => reply.status !== 200)) assert.equal(json.code, 3500)
  })

  test('the same call with the same Idempotency-Key makes one department', async () => {
    const call = () =>
      acme.call('POST', PATH, { department: { name: 'Once' } }, { headers: { 'idempotency-key': 'once' } })
    const [first, second] = [await call(), await call()]
    assert.deepEqual(second.json, first.json)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
  })

  test('has a limit of levels', async () => {
    let parentDepartmentId = acme.rootDepartmentId
    for (let level = 2; level <= 32; level++) {
      parentDepartmentId = (await makeDepartment(acme, { parentDepartmentId })).id
    }
    const { status, json } = await acme.call('POST', PATH, { department: { name: 'Deep', parentDepartmentId } })
    assert.equal(status, 400)
    assert.equal(json.code, 7502)
  })
})
