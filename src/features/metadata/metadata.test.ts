import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { addDepartment, type TestDepartment } from '../../../test/departments.ts'
import { startService, type Reply, type TestService, type TestTenant } from '../../../test/service.ts'

describe('metadata', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant
  let sales: TestDepartment
  let legal: TestDepartment

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
    sales = await addDepartment(service, acme, 'Sales')
    legal = await addDepartment(service, acme, 'Legal')
  })
  after(() => service.stop())

  /** A signature request without anything in it, written past the API: metadata only asks where it is. */
  async function addRequest(where: { tenant?: TestTenant; departmentId?: string; status?: string } = {}) {
    const { tenant = acme, departmentId = tenant.rootDepartmentId, status = 'Draft' } = where
    const id = newId()
    await service.database.asOwner(
      `insert into signature_request (tenant_id, id, department_id, creator_id, subject, status, delivery_methods, fingerprint,
                                      reading_authentication_strength, signing_authentication_strength, created_at, modified_at)
       values ($1, $2, $3, $4, 'A request', $5, '{Email}', '', 'None', 'Email', now(), now())`,
      [tenant.tenantId, id, departmentId, tenant.serviceUserId, status],
    )
    return id
  }

  async function addSignatory(requestId: string): Promise<string> {
    const id = newId()
    await service.database.asOwner(
      `insert into signatory (tenant_id, id, request_id, position, is_mandatory, signing_order, state)
       values ($1, $2, $3, 0, true, 1, 'Waiting')`,
      [acme.tenantId, id, requestId],
    )
    return id
  }

  async function addSignatureDocument(requestId: string): Promise<string> {
    const id = newId()
    await service.database.asOwner(
      `insert into signature_document (tenant_id, id, request_id, position, file_name, source_document_id, document_id, sha256, level_asked)
       values ($1, $2, $3, 0, 'a.pdf', $4, $4, $5, 'B-LT')`,
      [acme.tenantId, id, requestId, await upload(), Buffer.alloc(32)],
    )
    return id
  }

  async function addSealingDocument(): Promise<string> {
    const request = await acme.call('POST', '/sealing/sealingrequest', {})
    const documentURI = await upload()
    const document = await acme.call('POST', `/sealing/sealingrequest/${request.json.id}/document`, { documentURI })
    return document.json.id
  }

  async function upload(): Promise<string> {
    const { json } = await acme.call('POST', '/storage/document', undefined, { raw: '%PDF-1.7' })
    return json.uri
  }

  function put(type: string, id: string, metadata: unknown, rest: object = {}, call = acme.call): Promise<Reply> {
    return call('PUT', `/metadata/list/${type}/${id}`, { metadata, ...rest })
  }

  const read = (type: string, id: string, call = acme.call) => call('GET', `/metadata/${type}/${id}`)

  test('is written key by key: the answer is the first entry, with all of the entity beside it', async () => {
    const entityId = await addRequest()
    const entityType = 'SignatureRequest'
    const entry = (key: string, value: string) => ({ key, value, entityId, entityType, referenceId: null })

    const first = await put('signaturerequest', entityId.toUpperCase(), [
      { key: 'b', value: '2' },
      { key: 'a', value: '' },
    ])
    assert.equal(first.status, 200)
    assert.deepEqual(first.json, { ...entry('b', '2'), total: 2, items: [entry('a', ''), entry('b', '2')] })

    const second = await put('SIGNATUREREQUEST', entityId, [
      { key: 'c', value: '3' },
      { key: 'b', value: 'two' },
    ])
    const items = [entry('a', ''), entry('b', 'two'), entry('c', '3')]
    assert.deepEqual(second.json, { ...entry('c', '3'), total: 3, items })
    const found = await read('signatureRequest', entityId)
    assert.equal(found.status, 200)
    assert.deepEqual(found.json, { total: 3, items })
  })

  test('is removed by null, whether or not it was there', async () => {
    const entityId = await addRequest()
    await put('SignatureRequest', entityId, [
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
    ])
    for (const key of ['a', 'a', 'never']) {
      const { status, json } = await put('SignatureRequest', entityId, [{ key, value: null }])
      assert.equal(status, 200)
      assert.equal(json.key, key)
      assert.equal(json.value, null)
      assert.equal(json.total, 1)
      assert.equal(json.items[0].key, 'b')
    }
  })

  test('of something that has none is an empty list', async () => {
    const { json } = await read('SignatureRequest', await addRequest())
    assert.deepEqual(json, { total: 0, items: [] })
  })

  test('is attached to signatories, to documents of both kinds, and to archived requests', async () => {
    const requestId = await addRequest({ status: 'Archived' })
    const cases: [type: string, id: string][] = [
      ['Signee', await addSignatory(requestId)],
      ['Document', await addSignatureDocument(requestId)],
      ['Document', await addSealingDocument()],
      ['Archive', requestId],
      ['SignatureRequest', requestId],
    ]
    for (const [entityType, entityId] of cases) {
      const { status, json } = await put(entityType.toLowerCase(), entityId, [{ key: 'of', value: entityType }])
      assert.equal(status, 200, entityType)
      assert.equal(json.entityType, entityType)
      const found = await read(entityType, entityId)
      assert.deepEqual(found.json, {
        total: 1,
        items: [{ key: 'of', value: entityType, entityId, entityType, referenceId: null }],
      })
    }
  })

  test('of an archive needs a request that is archived', async () => {
    for (const status of ['Closed', 'Archiving', 'ArchivingFailed']) {
      const id = await addRequest({ status })
      for (const reply of [await read('Archive', id), await put('Archive', id, [{ key: 'a', value: 'b' }])]) {
        assert.equal(reply.status, 400)
        assert.equal(reply.json.classification, 'EntityNotFound')
      }
    }
  })

  test('needs an entity that exists: another tenant’s, another type’s and none are the same', async () => {
    const requestId = await addRequest()
    const theirs = await addRequest({ tenant: other })
    const cases: [type: string, id: string][] = [
      ['SignatureRequest', newId()],
      ['SignatureRequest', theirs],
      ['SignatureRequest', '00000000-0000-0000-0000-000000000000'],
      ['Signee', requestId],
      ['Document', requestId],
      ['Document', await upload()],
      ['Archive', newId()],
    ]
    for (const [type, id] of cases) {
      for (const reply of [await read(type, id), await put(type, id, [{ key: 'a', value: 'b' }])]) {
        assert.equal(reply.status, 400)
        assert.equal(reply.json.code, 2000)
        assert.match(reply.json.message, /^There is no /)
      }
    }
  })

  test('of a department beside one’s own is refused, of one below it is not', async () => {
    const id = await addRequest({ departmentId: legal.id })
    for (const reply of [
      await read('SignatureRequest', id, sales.call),
      await put('SignatureRequest', id, [{ key: 'a', value: 'b' }], {}, sales.call),
    ]) {
      assert.equal(reply.status, 403)
      assert.equal(reply.json.classification, 'AuthorizationError')
    }
    assert.equal((await put('SignatureRequest', id, [{ key: 'a', value: 'b' }], {}, legal.call)).status, 200)
    assert.equal((await read('SignatureRequest', id)).json.total, 1)
  })

  test('is refused with the field that is wrong, and then nothing of the body is kept', async () => {
    const id = await addRequest()
    const good = { key: 'good', value: 'x' }
    const cases: [metadata: unknown, message: RegExp][] = [
      [[], /^metadata: must have at least 1/],
      [null, /^metadata: is required/],
      ['a', /^metadata: must be a list/],
      [[good, { key: '', value: 'x' }], /^metadata\[1\]\.key: must not be empty/],
      [[good, { value: 'x' }], /^metadata\[1\]\.key: is required/],
      [[good, { key: 'x' }], /^metadata\[1\]\.value: is required/],
      [[good, { key: 'x', value: 5 }], /^metadata\[1\]\.value: must be a text/],
      [[good, { key: 'x'.repeat(201), value: '' }], /^metadata\[1\]\.key: must have at most 200/],
      [[good, { key: 'x', value: 'x'.repeat(4001) }], /^metadata\[1\]\.value: must have at most 4000/],
      [[good, { key: 'good', value: null }], /^metadata\[1\]\.key: "good" is given twice/],
      [[good, null], /^metadata\[1\]: must not be null/],
      [Array.from({ length: 101 }, (_, i) => ({ key: `k${i}`, value: '' })), /^metadata: an entity has at most 100/],
      [Array.from({ length: 201 }, (_, i) => ({ key: `k${i}`, value: '' })), /^metadata: must have at most 200/],
    ]
    for (const [metadata, message] of cases) {
      const { status, json } = await put('SignatureRequest', id, metadata)
      assert.equal(status, 400, String(message))
      assert.equal(json.classification, 'InvalidArgument')
      assert.match(json.message, message)
    }
    assert.equal((await read('SignatureRequest', id)).json.total, 0)
    const longest = [{ key: '😀'.repeat(200), value: 'ä'.repeat(4000) }]
    assert.equal((await put('SignatureRequest', id, longest)).status, 200)
  })

  test('needs a type that is known and an id that is one', async () => {
    const id = await addRequest()
    for (const type of ['SealingRequest', 'list', 'x'.repeat(300), '%20Signee']) {
      const { status, json } = await read(type, id)
      assert.equal(status, 400)
      assert.equal(json.message, 'entityType: must be one of SignatureRequest, Signee, Document, Archive')
    }
    assert.equal((await read('Signee', 'x')).json.message, 'entityId: must be a UUID')
    assert.equal((await put('Signee', 'x', [{ key: 'a', value: 'b' }])).json.message, 'entityId: must be a UUID')
  })

  test('keeps a reference of the caller’s, and checks the department and the creator that are named', async () => {
    const id = await addRequest()
    const metadata = [{ key: 'a', value: 'b' }]
    const referenceId = newId()
    const departmentId = sales.id
    const kept = await put('SignatureRequest', id, metadata, {
      referenceId,
      departmentId,
      creatorId: acme.administratorId,
    })
    assert.equal(kept.status, 200)
    assert.equal(kept.json.referenceId, referenceId)
    assert.equal((await put('SignatureRequest', id, metadata)).json.referenceId, referenceId)

    const cases: [rest: object, message: RegExp][] = [
      [{ departmentId: newId() }, /^departmentId: there is no such department/],
      [{ departmentId: other.rootDepartmentId }, /^departmentId: there is no such department/],
      [{ creatorId: newId() }, /^creatorId: there is no such user/],
      [{ creatorId: other.administratorId }, /^creatorId: there is no such user/],
    ]
    for (const [rest, message] of cases) {
      const { status, json } = await put('SignatureRequest', id, metadata, rest)
      assert.equal(status, 400)
      assert.equal(json.classification, 'ReferenceConstraint')
      assert.match(json.message, message)
    }
  })

  test('may be written in another’s name by keys and administrators alone', async () => {
    const tenant = await service.createTenant('Clerks')
    await service.database.asOwner(`update app_user set role = 'clerk' where id = $1`, [tenant.administratorId])
    const id = await addRequest({ tenant })
    const as = (creatorId: string) =>
      put('SignatureRequest', id, [{ key: 'a', value: 'b' }], { creatorId }, tenant.asAdministrator)
    assert.equal((await as(tenant.administratorId)).status, 200)
    const refused = await as(tenant.serviceUserId)
    assert.equal(refused.status, 403)
    assert.equal(refused.json.code, 6005)
  })

  test('is read with either content type and with none', async () => {
    const id = await addRequest()
    const types: Record<string, string>[] = [
      { 'content-type': 'application/json-patch+json' },
      { 'content-type': 'application/json; charset=utf-8' },
      {},
    ]
    for (const headers of types) {
      const raw = Buffer.from(JSON.stringify({ metadata: [{ key: 'a', value: 'b' }] }))
      const { status } = await acme.call('PUT', `/metadata/list/Signaturerequest/${id}/`, undefined, { raw, headers })
      assert.equal(status, 200)
    }
  })

  test('written twenty times at once never passes the limit, and every refused write leaves nothing', async () => {
    const id = await addRequest()
    const keys = (from: string, length: number) =>
      Array.from({ length }, (_, i) => ({ key: `${from}-${i}`, value: from }))
    await put('SignatureRequest', id, keys('before', 70))
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, writer) => put('SignatureRequest', id, keys(`writer${writer}`, 7))),
    )
    assert.equal(replies.filter((reply) => reply.status === 200).length, 4)
    for (const reply of replies.filter(({ status }) => status !== 200)) assert.equal(reply.json.code, 1302)
    assert.equal((await read('SignatureRequest', id)).json.total, 98)
  })

  test('can be exchanged whole at the limit, in one body', async () => {
    const id = await addRequest()
    const all = (prefix: string, value: string | null) =>
      Array.from({ length: 100 }, (_, i) => ({ key: `${prefix}${i}`, value }))
    assert.equal((await put('SignatureRequest', id, all('old', 'x'))).json.total, 100)
    const { status, json } = await put('SignatureRequest', id, [...all('new', 'y'), ...all('old', null)])
    assert.equal(status, 200)
    assert.equal(json.total, 100)
  })

  test('needs a key; a deactivated user hears so', async () => {
    const id = await addRequest()
    assert.equal((await read('SignatureRequest', id, service.call)).status, 401)
    const tenant = await service.createTenant('Deactivated')
    await service.database.asOwner('update app_user set deactivated_at = now() where id = $1', [tenant.administratorId])
    for (const reply of [
      await read('SignatureRequest', id, tenant.asAdministrator),
      await put('SignatureRequest', id, [{ key: 'a', value: 'b' }], {}, tenant.asAdministrator),
    ]) {
      assert.equal(reply.status, 403)
      assert.equal(reply.json.classification, 'UserInactiveError')
    }
  })
})
