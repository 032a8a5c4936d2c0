import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Caller as CallerOf } from '#platform/auth/caller.ts'
import { newId } from '#platform/ids.ts'
import { addDepartment, type TestDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { findRequestTemplate, hideTemplatesOfDepartments } from './index.ts'

const PATH = '/documenttemplating/requesttemplate'

const SIGNATURE_FIELDS = {
  subject: 'Please sign',
  status: 'Open',
  languageCode: 'fi',
  readingAuthenticationStrength: 'None',
  signingAuthenticationStrength: 'Sms',
  externalReference: 'R-1',
  expirationDate: '2090-01-01T00:00:00.000Z',
  deliveryMethods: ['Email', 'Link'],
  signatories: [{ firstName: 'Aino', email: 'aino@example.com', isMandatory: true, signatoryGroupSigningOrder: 1 }],
  placements: [{ documentIndex: 0, signatoryIndex: 0, page: 1, x: 72, y: 700.5, width: 200, height: 50 }],
}

describe('request templates', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant
  let sales: TestDepartment
  let north: TestDepartment
  let legal: TestDepartment

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
    sales = await addDepartment(service, acme, 'Sales')
    north = await addDepartment(service, acme, 'Sales North', sales.path)
    legal = await addDepartment(service, acme, 'Legal')
  })
  after(() => service.stop())

  async function create(body: object = {}, call = acme.call) {
    const { status, json } = await call('POST', PATH, { kind: 'signature', name: 'T', fields: {}, ...body })
    assert.equal(status, 200, JSON.stringify(json))
    return json
  }

  test('keep every field of a signature request that they preset, and nothing else', async () => {
    const { status, json } = await acme.call('POST', PATH, {
      kind: 'Signature',
      name: 'Employment contract',
      departmentId: sales.id,
      fields: { ...SIGNATURE_FIELDS, creatorId: newId(), id: newId(), unknown: 1, departmentId: null },
    })
    assert.equal(status, 200)
    const { id, creationDate } = json
    assert.deepEqual(json, {
      id,
      kind: 'signature',
      name: 'Employment contract',
      departmentId: sales.id,
      fields: SIGNATURE_FIELDS,
      creationDate,
      modifiedDate: creationDate,
    })
    assert.deepEqual((await sales.call('GET', `${PATH}/${id}`)).json, json)
  })

  test('keep the fields of a sealing request', async () => {
    const fields = {
      subject: 'Seal',
      status: 'Draft',
      languageCode: 'en',
      creatorName: 'Robot',
      externalReference: 'S',
    }
    const json = await create({ kind: 'sealing', fields: { ...fields, signatories: [] } })
    assert.deepEqual(json.fields, fields)
  })

  test('are refused with the field that is wrong', async () => {
    const placement = SIGNATURE_FIELDS.placements[0]
    const cases: [body: object, message: RegExp][] = [
      [{ kind: 'other' }, /^kind: must be one of signature, sealing/],
      [{ kind: null }, /^kind: is required/],
      [{ name: '' }, /^name: must not be empty/],
      [{ fields: null }, /^fields: is required/],
      [{ fields: [] }, /^fields: must be an object/],
      [{ fields: { subject: '' } }, /^fields\.subject: must not be empty/],
      [{ fields: { subject: 'x'.repeat(501) } }, /^fields\.subject: must have at most 500/],
      [{ fields: { status: 'Closed' } }, /^fields\.status: must be one of Draft, Open/],
      [{ fields: { languageCode: '?' } }, /^fields\.languageCode: /],
      [
        { fields: { signingAuthenticationStrength: 'weakest' } },
        /^fields\.signingAuthenticationStrength: must be one of/,
      ],
      [{ fields: { expirationDate: 'soon' } }, /^fields\.expirationDate: must be a date/],
      [{ fields: { deliveryMethods: ['Pigeon'] } }, /^fields\.deliveryMethods\[0\]: must be one of/],
      [{ fields: { signatories: [{ email: 'x' }] } }, /^fields\.signatories\[0\]\.email: must be an e-mail/],
      [{ fields: { placements: [{ ...placement, page: 0 }] } }, /^fields\.placements\[0\]\.page: /],
      [{ fields: { placements: [{ ...placement, width: 0 }] } }, /^fields\.placements\[0\]\.width: /],
      [{ fields: { placements: [{ ...placement, x: -1 }] } }, /^fields\.placements\[0\]\.x: /],
      [{ fields: { placements: [{ ...placement, y: 14_401 }] } }, /^fields\.placements\[0\]\.y: /],
      [{ fields: { placements: [{ ...placement, height: null }] } }, /^fields\.placements\[0\]\.height: is required/],
      [{ fields: { placements: [{ ...placement, documentIndex: 0.5 }] } }, /documentIndex: must be a whole number/],
      [
        { fields: { placements: [placement, { ...placement, width: 600, height: 300 }] } },
        /^fields\.placements\[1\]: width times height must be at most 125000 square points/,
      ],
      [{ fields: { departmentId: newId() } }, /^fields\.departmentId: there is no such department/],
      [{ departmentId: newId() }, /^departmentId: there is no such department/],
      [{ departmentId: other.rootDepartmentId }, /^departmentId: there is no such department/],
    ]
    for (const [body, message] of cases) {
      const reply = await acme.call('POST', PATH, { kind: 'signature', name: 'T', fields: {}, ...body })
      assert.equal(reply.status, 400, JSON.stringify(body))
      assert.match(reply.json.message, message)
    }
    const outside = await sales.call('POST', PATH, { kind: 'sealing', name: 'T', fields: { departmentId: legal.id } })
    assert.equal(outside.status, 403)
  })

  test('change in what is given; fields are replaced whole, the kind never', async () => {
    const template = await create({ fields: { subject: 'a', externalReference: 'b' } })
    service.clock.advance(1000)
    const changed = await acme.call('PUT', `${PATH}/${template.id}`, { fields: { subject: 'c' } })
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.json, { ...template, fields: { subject: 'c' }, modifiedDate: changed.json.modifiedDate })
    assert.ok(changed.json.modifiedDate > template.modifiedDate)
    const renamed = await acme.call('PUT', `${PATH}/${template.id}`, { name: 'New', kind: 'SIGNATURE' })
    assert.deepEqual(renamed.json.fields, { subject: 'c' })
    assert.equal(renamed.json.name, 'New')
    const turned = await acme.call('PUT', `${PATH}/${template.id}`, { kind: 'sealing' })
    assert.equal(turned.status, 400)
    assert.equal(turned.json.code, 7400)
  })

  test('of another tenant are unknown, those of another department are refused', async () => {
    const { id } = await create({ departmentId: legal.id })
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { name: 'x' } : undefined
      for (const reply of [
        await acme.call(method, `${PATH}/${newId()}`, body),
        await other.call(method, `${PATH}/${id}`, body),
      ]) {
        assert.equal(reply.status, 400)
        assert.equal(reply.json.classification, 'EntityNotFound')
      }
      assert.equal((await sales.call(method, `${PATH}/${id}`, body)).status, 403)
      assert.equal((await acme.call(method, `${PATH}/x`, body)).status, 400)
    }
  })

  test('that are deleted are gone: of twenty deletes at once one wins', async () => {
    const { id } = await create()
    const replies = await Promise.all(Array.from({ length: 20 }, () => acme.call('DELETE', `${PATH}/${id}`)))
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1)
    assert.equal(replies.filter((reply) => reply.json.classification === 'EntityNotFound').length, 19)
    assert.equal((await acme.call('GET', `${PATH}/${id}`)).status, 400)
  })

  test('are listed newest first, by kind and department', async () => {
    const tenant = await service.createTenant('Lister')
    const branch = await addDepartment(service, tenant, 'Branch')
    const first = await create({ kind: 'sealing' }, tenant.call)
    const second = await create({ departmentId: branch.id }, tenant.call)
    const all = await tenant.call('GET', PATH)
    assert.deepEqual(all.json, { total: 2, items: [second, first] })
    assert.deepEqual((await tenant.call('GET', `${PATH}?Kind=SEALING`)).json, { total: 1, items: [first] })
    assert.deepEqual((await branch.call('GET', PATH)).json, { total: 1, items: [second] })
    assert.deepEqual((await tenant.call('GET', `${PATH}?take=1&skip=1`)).json, { total: 2, items: [first] })
    const above = await branch.call('GET', `${PATH}?departmentId=${tenant.rootDepartmentId}`)
    assert.equal(above.status, 403)
  })

  test('serve requests of their own department, of those below it, and of those above it', async () => {
    const { id } = await create({ departmentId: sales.id, fields: { subject: 'Found' } })
    const find = (caller: CallerOf, templateId = id, kind: 'signature' | 'sealing' = 'signature') =>
      service.platform.db.transaction(caller.tenantId, (tx) => findRequestTemplate(tx, { caller, templateId, kind }))
    for (const department of [sales.id, north.id, acme.rootDepartmentId]) {
      assert.deepEqual(await find(callerIn(acme, department)), { fields: { subject: 'Found' } })
    }
    assert.equal(await find(callerIn(acme, legal.id)), undefined)
    assert.equal(await find(callerIn(other, other.rootDepartmentId)), undefined)
    assert.equal(await find(callerIn(acme, sales.id), newId()), undefined)
    assert.equal(await find(callerIn(acme, sales.id), id, 'sealing'), undefined)

    const { tenantId } = acme
    await service.platform.db.transaction(tenantId, (tx) =>
      hideTemplatesOfDepartments(tx, { tenantId, departmentIds: [sales.id], now: new Date() }),
    )
    assert.equal(await find(callerIn(acme, sales.id)), undefined)
  })

  function callerIn(tenant: TestTenant, departmentId: string): CallerOf {
    return {
      tenantId: tenant.tenantId,
      role: 'key',
      userId: tenant.serviceUserId,
      departmentId,
      isTenantWide: departmentId === tenant.rootDepartmentId,
      keyId: tenant.keyId,
      token: undefined,
      isInactive: false,
    }
  }

  test('are written by keys and administrators, and read by ordinary users', async () => {
    const tenant = await service.createTenant('Roles')
    const { id } = await create({}, tenant.asAdministrator)
    await service.database.asOwner(`update app_user set role = 'clerk' where id = $1`, [tenant.administratorId])
    service.clock.advance(2_000) // The server remembers a caller for so long.
    assert.equal((await tenant.asAdministrator('GET', `${PATH}/${id}`)).status, 200)
    for (const [method, path] of [
      ['POST', PATH],
      ['PUT', `${PATH}/${id}`],
      ['DELETE', `${PATH}/${id}`],
    ] as const) {
      const body = method === 'DELETE' ? undefined : { kind: 'signature', name: 'x', fields: {} }
      assert.equal((await tenant.asAdministrator(method, path, body)).status, 403)
    }
    assert.equal((await service.call('GET', PATH)).status, 401)
  })
})
