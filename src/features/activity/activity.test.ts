import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDepartment, type TestDepartment } from '../../../test/departments.ts'
import { addPerson } from '../../../test/people.ts'
import { PASSWORD, startService, type Caller, type TestService, type TestTenant } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import { newId } from '#platform/ids.ts'
import { ACTIONS } from './activity.ts'

type Row = {
  id: string
  action: string
  timestamp: string
  actor: { kind: string; id: string; name: string | null }
  target: { type: string; id: string; name: string | null }
  departmentId: string
  details: Record<string, unknown>
  requestId: string | null
}

const SECOND_KEY = 'a-second-value-that-nobody-may-see'

describe('activity', () => {
  let service: TestService
  let acme: TestTenant
  let sales: TestDepartment

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    sales = await addDepartment(service, acme, 'Sales')
  })
  after(() => service.stop())

  const list = async (query = '', call: Caller = acme.asAdministrator): Promise<Row[]> => {
    const { status, json } = await call('GET', `/activity${query}`)
    assert.equal(status, 200, JSON.stringify(json))
    return json.items
  }
  const newest = async () => (await list('?take=1'))[0]!

  /** Does something as the administrator and answers with its body. */
  async function act(method: string, path: string, body?: unknown) {
    const { status, json, headers } = await acme.asAdministrator(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(json)}`)
    return { json, requestId: headers.get('x-request-id') }
  }

  test('names who did what to which thing, by which call', async () => {
    const { json: key, requestId } = await act('POST', '/onboarding/subscriptionkey', { name: 'Billing' })
    const row = await newest()
    assert.deepEqual(row, {
      id: row.id,
      timestamp: row.timestamp,
      action: 'subscriptionkey.created',
      actor: { kind: 'user', id: acme.administratorId, name: 'First Administrator' },
      target: { type: 'subscriptionkey', id: key.id, name: 'Billing' },
      departmentId: acme.rootDepartmentId,
      details: {},
      requestId,
    })
  })

  test('knows every administrative deed', async () => {
    const seen = new Set<string>()
    const done = async (action: string, method: string, path: string, body?: unknown) => {
      const { json } = await act(method, path, body)
      assert.equal((await newest()).action, action)
      seen.add(action)
      return json
    }
    const { id: keyId } = await done('subscriptionkey.created', 'POST', '/onboarding/subscriptionkey', { name: 'K' })
    await done('subscriptionkey.rotated', 'POST', `/onboarding/subscriptionkey/${keyId}/rotate`, { which: 'primary' })
    assert.deepEqual((await newest()).details, { which: 'primary' })
    await done('subscriptionkey.revoked', 'DELETE', `/onboarding/subscriptionkey/${keyId}`)

    const { id: userId } = await done('user.created', 'POST', '/onboarding/user', { email: `${newId()}@example.com` })
    await done('user.changed', 'PATCH', `/onboarding/user/${userId}`, { firstName: 'Aino' })
    assert.deepEqual((await newest()).details, { fields: ['firstName'] })
    await done('user.invited', 'POST', `/onboarding/user/${userId}/invitation`)
    await done('user.deactivated', 'PATCH', `/onboarding/user/${userId}`, { isActive: false })
    await done('user.reactivated', 'PATCH', `/onboarding/user/${userId}`, { isActive: true })

    const department = { department: { name: 'Archive' } }
    const { id: departmentId } = await done('department.created', 'POST', '/onboarding/department', department)
    await done('department.changed', 'PATCH', `/onboarding/department/${departmentId}`, { retentionDays: 30 })
    await done('department.moved', 'PATCH', `/onboarding/department/${departmentId}`, { parentDepartmentId: sales.id })
    await done('department.deleted', 'DELETE', `/onboarding/department/${departmentId}`)
    await done('tenant.changed', 'PATCH', '/onboarding/tenant', { name: 'Acme' })

    const { id: certificateId } = await done('certificate.created', 'POST', '/sealing/certificate', { generate: true })
    await done('certificate.revoked', 'DELETE', `/sealing/certificate/${certificateId}`)

    const contentBase64 = Buffer.from('%PDF-1.7 a template').toString('base64')
    const templates = '/documenttemplating/template'
    const { id } = await done('documenttemplate.created', 'POST', templates, { name: 'Lease', contentBase64 })
    await done('documenttemplate.changed', 'PUT', `${templates}/${id}`, { name: 'Leases' })
    await done('documenttemplate.deleted', 'DELETE', `${templates}/${id}`)
    const presets = '/documenttemplating/requesttemplate'
    const preset = { kind: 'signature', name: 'Leases', fields: { subject: 'A lease' } }
    const { id: presetId } = await done('requesttemplate.created', 'POST', presets, preset)
    await done('requesttemplate.changed', 'PUT', `${presets}/${presetId}`, { name: 'Lease' })
    await done('requesttemplate.deleted', 'DELETE', `${presets}/${presetId}`)

    const hooks = '/hooks/v1/subscription'
    const hook = { eventType: 'signatorysigned', uri: 'https://hooks.example.com/?secret=hidden' }
    const { id: hookId } = await done('subscription.created', 'POST', hooks, hook)
    assert.equal((await newest()).target.name, 'signatorysigned to hooks.example.com')
    await done('subscription.paused', 'POST', `${hooks}/${hookId}/pause`)
    await done('subscription.resumed', 'POST', `${hooks}/${hookId}/resume`)
    await done('subscription.rotated', 'POST', `${hooks}/${hookId}/secret`)
    await done('subscription.tested', 'POST', `${hooks}/${hookId}/test`)
    const from = new Date(service.clock.now().getTime() - 60_000).toISOString()
    await done('subscription.replayed', 'POST', `${hooks}/${hookId}/replay`, { from })
    await done('subscription.deleted', 'DELETE', `${hooks}/${hookId}`)

    const login = { login: acme.administratorEmail, password: PASSWORD }
    await done('user.signedin', 'POST', '/identity/login', login)
    // Shown by the tests of passwords, second factors, logouts, the outbox and stopped tenants: they need a person or a worker of their own.
    const factorDeeds = ['factoradded', 'factorremoved', 'factorreset', 'passkeyadded', 'passkeyremoved']
    const ownDeeds = ['passwordset', 'signedout', 'signinfailed', ...factorDeeds]
    const elsewhere = [...ownDeeds.map((deed) => `user.${deed}`), 'message.viewed', 'tenant.stopped', 'tenant.resumed']
    assert.deepEqual([...seen, ...elsewhere].sort(), [...ACTIONS].sort())
  })

  test('shows wrong passwords of those who exist, and nothing about those who do not', async () => {
    const before = (await list('?targetType=user')).length
    for (const login of [`${newId()}@example.com`, acme.administratorEmail]) {
      const { status } = await acme.call('POST', '/identity/login', { login, password: 'not the right one' })
      assert.equal(status, 204)
    }
    const rows = await until('the failure', async () => {
      const found = await list('?targetType=user')
      return found.length > before && found
    })
    assert.equal(rows.length, before + 1)
    assert.equal(rows[0]!.action, 'user.signinfailed')
    assert.equal(rows[0]!.target.id, acme.administratorId)
    assert.equal(rows[0]!.departmentId, acme.rootDepartmentId)
  })

  test('tells a key from a person', async () => {
    await acme.call('PATCH', '/onboarding/tenant', { name: 'Acme' })
    assert.deepEqual((await newest()).actor, { kind: 'key', id: acme.serviceUserId, name: 'First key' })
  })

  test('is not written when the deed fails, and once when a call is repeated', async () => {
    const before = await newest()
    const refused = await acme.asAdministrator('POST', '/onboarding/subscriptionkey', {
      name: 'K',
      departmentId: newId(),
    })
    assert.equal(refused.status, 400)
    assert.equal((await newest()).id, before.id)
    const headers = { 'idempotency-key': newId() }
    for (let call = 0; call < 2; call++) {
      await acme.asAdministrator('POST', '/onboarding/subscriptionkey', { name: SECOND_KEY }, { headers })
    }
    assert.equal((await list(`?before=${newId()}`)).filter(({ target }) => target.name === SECOND_KEY).length, 1)
  })

  test('pages by the id of the last row, and narrows to a thing, an actor, a kind and a span', async () => {
    const all = await list('?take=500')
    assert.deepEqual(
      all.map(({ id }) => id),
      all.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1)),
    )
    const page = await list(`?take=2&before=${all[0]!.id}`)
    assert.deepEqual(page, all.slice(1, 3))
    const { target, actor } = all[0]!
    assert.ok((await list(`?targetId=${target.id}`)).every((row) => row.target.id === target.id))
    assert.ok((await list(`?actorId=${actor.id}`)).every((row) => row.actor.id === actor.id))
    assert.ok((await list('?targetType=department')).every((row) => row.target.type === 'department'))
    const later = new Date(service.clock.now().getTime() + 60_000).toISOString()
    assert.deepEqual(await list(`?from=${later}`), [])
    assert.equal((await list(`?take=500&to=${later}`)).length, all.length)
  })

  test('is read by administrators, as far as they reach', async () => {
    await acme.asAdministrator('POST', '/onboarding/subscriptionkey', { name: 'For sales', departmentId: sales.id })
    const asSales = await addPerson(service, acme, { departmentId: sales.id, role: 'admin' })
    const seen = await list('?take=500', asSales)
    assert.ok(seen.length > 0)
    assert.ok(seen.every(({ departmentId }) => departmentId !== acme.rootDepartmentId))
    assert.equal(seen[0]!.target.name, 'For sales')
    const clerk = await addPerson(service, acme, { departmentId: sales.id, role: 'clerk' })
    assert.equal((await clerk('GET', '/activity')).status, 403)
    assert.equal((await acme.call('GET', '/activity')).status, 403)
    const other = await service.createTenant('Other')
    assert.deepEqual(await list('', other.asAdministrator), [])
  })

  test('holds no secret', async () => {
    const rows = await service.database.asOwner('select activity::text as everything from activity')
    assert.doesNotMatch(JSON.stringify(rows), /csk_|whsec_|hidden|not the right one|\$argon2/)
  })

  test('can be neither changed nor deleted by the service', async () => {
    const rights = await service.database.asOwner(
      `select distinct privilege_type as privilege from information_schema.role_table_grants
        where table_name = 'activity' and grantee in ('countersign_request', 'countersign_worker') order by 1`,
    )
    assert.deepEqual(rights, [{ privilege: 'INSERT' }, { privilege: 'SELECT' }])
  })
})
