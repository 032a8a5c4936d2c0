import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { addDepartment, type TestDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { hideTemplatesOfDepartments } from './index.ts'

const PATH = '/documenttemplating/template'
const contentBase64 = Buffer.from('%PDF-1.7 a template').toString('base64')

describe('document templates', () => {
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

  async function create(fields: object = {}, call = acme.call) {
    const { status, json } = await call('POST', PATH, { name: 'Contract', contentBase64, ...fields })
    assert.equal(status, 200, JSON.stringify(json))
    return json
  }

  async function upload(call = acme.call): Promise<string> {
    const { json } = await call('POST', '/storage/document', undefined, { raw: '%PDF-1.7 uploaded' })
    return json.uri
  }

  test('are made from Base64, and their document is stored for good', async () => {
    const documentTypeId = newId()
    const { status, json } = await acme.call('POST', PATH, {
      name: 'Contract',
      contentBase64,
      fileName: 'contract.pdf',
      departmentId: sales.id.toUpperCase(),
      documentTypeId,
      language: 'FI-fi',
      id: newId(),
    })
    assert.equal(status, 200)
    const { id, templateUri } = json
    assert.deepEqual(json, {
      id,
      name: 'Contract',
      templateUri,
      departmentId: sales.id,
      documentTypeId,
      language: 'fi-FI',
    })
    const document = await sales.call('GET', `/storage/document/${templateUri}`)
    assert.equal(document.text, '%PDF-1.7 a template')
    assert.match(document.headers.get('content-disposition')!, /contract\.pdf/)
    assert.deepEqual(await purgeDates(templateUri), [null])
  })

  test('are made from an upload, which is then kept', async () => {
    const templateUri = await upload()
    const json = await create({ contentBase64: null, templateUri })
    assert.equal(json.templateUri, templateUri)
    assert.equal(json.documentTypeId, null)
    assert.equal(json.language, null)
    assert.equal(json.departmentId, acme.rootDepartmentId)
    assert.deepEqual(await purgeDates(templateUri), [null])
  })

  async function purgeDates(uri: string) {
    const rows = await service.database.asOwner('select purge_at from stored_document where id = $1', [uri])
    return rows.map((row) => row['purge_at'])
  }

  test('are read with every content type that means JSON, and with none', async () => {
    const types: Record<string, string>[] = [{ 'content-type': 'application/json-patch+json' }, {}]
    for (const headers of types) {
      const raw = Buffer.from(JSON.stringify({ name: 'Typed', contentBase64 }))
      assert.equal((await acme.call('POST', PATH, undefined, { raw, headers })).status, 200)
    }
  })

  test('are refused with the field that is wrong', async () => {
    const theirs = await upload(other.call)
    const cases: [body: object, code: number, message: RegExp][] = [
      [{ contentBase64 }, 1000, /^name: is required/],
      [{ name: '', contentBase64 }, 1000, /^name: must not be empty/],
      [{ name: 'x'.repeat(256), contentBase64 }, 1000, /^name: must have at most 255/],
      [{ name: 'x' }, 1401, /^contentBase64: is required/],
      [{ name: 'x', contentBase64, templateUri: newId() }, 1400, /^contentBase64: must not be given together/],
      [{ name: 'x', contentBase64: '' }, 1000, /^contentBase64: must not be empty/],
      [{ name: 'x', contentBase64: '!' }, 1021, /^contentBase64: this is not Base64/],
      [{ name: 'x', contentBase64: 5 }, 1000, /^contentBase64: must be a Base64 text/],
      [{ name: 'x', templateUri: newId() }, 4000, /^templateUri: there is no such stored document/],
      [{ name: 'x', templateUri: '../x' }, 4000, /^templateUri: there is no such stored document/],
      [{ name: 'x', templateUri: theirs }, 4000, /^templateUri: there is no such stored document/],
      [{ name: 'x', contentBase64, departmentId: newId() }, 4000, /^departmentId: there is no such department/],
      [{ name: 'x', contentBase64, departmentId: other.rootDepartmentId }, 4000, /^departmentId: there is no/],
      [{ name: 'x', contentBase64, departmentId: 'x' }, 1000, /^departmentId: must be a UUID/],
      [{ name: 'x', contentBase64, language: '??' }, 1000, /^language: must be a language tag/],
      [{ name: 'x', contentBase64, fileName: 'a/b' }, 1000, /^fileName: must be a file name/],
    ]
    for (const [body, code, message] of cases) {
      const reply = await acme.call('POST', PATH, body)
      assert.equal(reply.status, 400, JSON.stringify(body))
      assert.equal(reply.json.code, code, reply.text)
      assert.match(reply.json.message, message)
    }
  })

  test('change in the fields given and keep the others', async () => {
    const template = await create({ language: 'en' })
    const renamed = await acme.call('PUT', `${PATH}/${template.id}`, { name: 'Renamed' })
    assert.deepEqual(renamed.json, { ...template, name: 'Renamed' })
    const next = Buffer.from('next').toString('base64')
    const moved = await acme.call('PUT', `${PATH}/${template.id}`, { contentBase64: next, departmentId: sales.id })
    assert.equal(moved.status, 200)
    assert.notEqual(moved.json.templateUri, template.templateUri)
    assert.equal(moved.json.departmentId, sales.id)
    const document = await sales.call('GET', `/storage/document/${moved.json.templateUri}`)
    assert.equal(document.text, 'next')
    const listed = await acme.call('GET', `${PATH}?departmentid=${sales.id}`)
    assert.deepEqual(listed.json.items[0], moved.json)
  })

  test('that are deleted are gone: of twenty deletes at once one wins', async () => {
    const template = await create()
    const replies = await Promise.all(Array.from({ length: 20 }, () => acme.call('DELETE', `${PATH}/${template.id}`)))
    const [won, ...lost] = replies.sort((a, b) => a.status - b.status)
    assert.equal(won!.status, 200)
    assert.deepEqual(won!.json, template)
    for (const { status, json } of lost) {
      assert.equal(status, 400)
      assert.equal(json.classification, 'EntityNotFound')
    }
    const put = await acme.call('PUT', `${PATH}/${template.id}`, { name: 'x' })
    assert.equal(put.json.classification, 'EntityNotFound')
    const document = await acme.call('GET', `/storage/document/${template.templateUri}`)
    assert.equal(document.status, 200)
  })

  test('of another tenant are unknown, those of another department are refused', async () => {
    const { id } = await create({ departmentId: legal.id })
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { name: 'x' } : undefined
      const unknown = await acme.call(method, `${PATH}/${newId()}`, body)
      assert.equal(unknown.status, 400)
      assert.equal(unknown.json.code, 2000)
      const theirs = await other.call(method, `${PATH}/${id}`, body)
      assert.equal(theirs.status, 400)
      assert.equal(theirs.json.code, 2000)
      const beside = await sales.call(method, `${PATH}/${id}`, body)
      assert.equal(beside.status, 403)
      assert.equal(beside.json.classification, 'AuthorizationError')
      assert.equal((await acme.call(method, `${PATH}/not-an-id`, body)).json.message, 'id: must be a UUID')
    }
    const intoOther = await sales.call('POST', PATH, { name: 'x', contentBase64, departmentId: legal.id })
    assert.equal(intoOther.status, 403)
  })

  test('are listed newest first, page by page, for whoever reaches their department', async () => {
    const tenant = await service.createTenant('Lister')
    const branch = await addDepartment(service, tenant, 'Branch')
    const ids: string[] = []
    for (const departmentId of [tenant.rootDepartmentId, branch.id, branch.id]) {
      const { json } = await tenant.call('POST', PATH, { name: 'T', contentBase64, departmentId })
      ids.unshift(json.id)
    }
    const list = async (query: string, call = tenant.call) => {
      const { status, json } = await call('GET', `${PATH}${query}`)
      assert.equal(status, 200, query)
      return [json.total, json.items.map((item: { id: string }) => item.id)]
    }
    assert.deepEqual(await list(''), [3, ids])
    assert.deepEqual(await list('/'), [3, ids])
    assert.deepEqual(await list('?Skip=1&Take=1'), [3, [ids[1]]])
    assert.deepEqual(await list('?SKIP=3'), [3, []])
    assert.deepEqual(await list(`?departmentid=${tenant.rootDepartmentId.toUpperCase()}`), [1, [ids[2]]])
    assert.deepEqual(await list('', branch.call), [2, ids.slice(0, 2)])
    assert.deepEqual(await list(`?DepartmentId=${newId()}`, branch.call), [0, []])
    assert.deepEqual(await list(`?DepartmentId=${acme.rootDepartmentId}`, branch.call), [0, []])
    const above = await branch.call('GET', `${PATH}?DepartmentId=${tenant.rootDepartmentId}`)
    assert.equal(above.status, 403)
  })

  test('are listed only with a page that is allowed', async () => {
    const refused = ['Skip=-1', 'Skip=10001', 'Take=0', 'Take=501', 'Take=x', 'skip=1&Skip=2', 'DepartmentId=x']
    for (const query of refused) {
      const { status, json } = await acme.call('GET', `${PATH}?${query}`)
      assert.equal(status, 400, query)
      assert.equal(json.classification, 'InvalidArgument')
    }
    const { json } = await acme.call('GET', `${PATH}?Skip=10001`)
    assert.match(json.message, /GET \/event/)
  })

  test('go with their department', async () => {
    const closing = await addDepartment(service, acme, 'Closing')
    const { id } = await create({ departmentId: closing.id })
    const { tenantId } = acme
    await service.platform.db.transaction(tenantId, (tx) =>
      hideTemplatesOfDepartments(tx, { tenantId, departmentIds: [closing.id], now: new Date() }),
    )
    assert.equal((await acme.call('PUT', `${PATH}/${id}`, { name: 'x' })).json.classification, 'EntityNotFound')
    assert.equal((await closing.call('GET', PATH)).json.total, 0)
  })

  test('need a key; a deactivated user hears so', async () => {
    assert.equal((await service.call('GET', PATH)).status, 401)
    const tenant = await service.createTenant('Deactivated')
    await service.database.asOwner('update app_user set deactivated_at = now() where id = $1', [tenant.administratorId])
    const { status, json } = await tenant.asAdministrator('GET', PATH)
    assert.equal(status, 403)
    assert.equal(json.classification, 'UserInactiveError')
  })
})
