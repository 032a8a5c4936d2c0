import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { addPerson } from '../../../test/people.ts'
import { startWorkplace, type Workplace } from './testing/workplace.ts'

const NIL = '00000000-0000-0000-0000-000000000000'
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('sealing requests', () => {
  let workplace: Workplace
  let acme: Workplace['acme']

  before(async () => {
    workplace = await startWorkplace()
    acme = workplace.acme
  })
  after(() => workplace.service.stop())

  const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    acme.call('PUT', `/sealing/sealingrequest/${id}`, body, { headers })
  const get = (id: string) => acme.call('GET', `/sealing/sealingrequest/${id}`)
  const eventsOf = (id: string) =>
    workplace.service.database.asOwner('select type from event where request_id = $1 order by sequence', [id])

  async function preset(fields: object): Promise<string> {
    const id = newId()
    await workplace.service.database.asOwner(
      `insert into request_template (tenant_id, id, kind, department_id, name, fields, created_at, modified_at)
       values ($1, $2, 'sealing', $3, 'Preset', $4, now(), now())`,
      [acme.tenantId, id, acme.rootDepartmentId, JSON.stringify(fields)],
    )
    return id
  }

  test('PUT on an id that is not known creates a Draft of the caller’s own', async () => {
    const id = newId()
    const { status, json, headers } = await put(id.toUpperCase(), { subject: 'Annual accounts', unknownField: 1 })
    assert.equal(status, 200)
    const { creationDate, modifiedDate, ...rest } = json
    assert.deepEqual(rest, {
      id,
      tenantId: acme.tenantId,
      departmentId: acme.rootDepartmentId,
      creatorId: acme.serviceUserId,
      creatorName: null,
      sealingRequestTemplateId: null,
      subject: 'Annual accounts',
      languageCode: null,
      status: 'Draft',
      statusReason: null,
      externalReference: null,
    })
    assert.match(creationDate, ISO)
    assert.equal(modifiedDate, creationDate)
    assert.equal(headers.get('etag'), '"1"')
    assert.deepEqual(await eventsOf(id), [{ type: 'sealingrequestcreated' }])
    assert.deepEqual((await get(id)).json, json)
  })

  test('PUT on a known id changes the fields given and leaves the others', async () => {
    const id = newId()
    await put(id, { subject: 'First', externalReference: 'A-1', creatorName: 'Ann' })
    const { json, headers } = await put(id, {
      subject: 'Second',
      externalReference: null,
      departmentId: workplace.sales.id,
      creatorId: acme.administratorId,
      languageCode: 'SV-fi',
    })
    assert.equal(json.subject, 'Second')
    assert.equal(json.externalReference, 'A-1')
    assert.equal(json.creatorName, 'Ann')
    assert.equal(json.departmentId, workplace.sales.id)
    assert.equal(json.creatorId, acme.administratorId)
    assert.equal(json.languageCode, 'sv-FI')
    assert.equal(headers.get('etag'), '"2"')
  })

  test('bodies are JSON whatever the content type says, or without one', async () => {
    const types: Record<string, string>[] = [
      { 'content-type': 'application/json' },
      { 'content-type': 'application/json-patch+json' },
      {},
    ]
    for (const headers of types) {
      const raw = Buffer.from(JSON.stringify({ subject: 'Typed' }))
      const { status, json } = await acme.call('PUT', `/sealing/sealingrequest/${newId()}`, undefined, { raw, headers })
      assert.equal(status, 200)
      assert.equal(json.subject, 'Typed')
    }
  })

  test('what is so already is no change: same version, same date, no event', async () => {
    const id = await workplace.draft(acme.call, 1, { subject: 'Same' })
    await put(id, { status: 'Open' })
    const before = await get(id)
    workplace.service.clock.advance(1000)
    const again = await put(id, { ...before.json, status: 'open', departmentId: NIL })
    assert.equal(again.status, 200)
    assert.deepEqual(again.json, before.json)
    assert.equal(again.headers.get('etag'), before.headers.get('etag'))
    assert.equal((await eventsOf(id)).length, 2)
  })

  test('opening needs a document, and an open request stays Open', async () => {
    const id = newId()
    const early = await put(id, { status: 'Open' })
    assert.equal(early.status, 400)
    assert.equal(early.json.code, 7202)
    assert.equal((await get(id)).json.code, 2200)

    const ready = await workplace.draft(acme.call, 1)
    const { status, json } = await put(ready, { status: 'Open', subject: 'Named while opening' })
    assert.equal(status, 200)
    assert.equal(json.status, 'Open')
    assert.equal(json.subject, 'Named while opening')
    assert.deepEqual(await eventsOf(ready), [
      { type: 'sealingrequestcreated' },
      { type: 'sealingrequeststatusupdated' },
    ])
  })

  test('fields change in Draft only', async () => {
    const id = await workplace.draft(acme.call, 1)
    await put(id, { status: 'Open' })
    const { status, json } = await put(id, { subject: 'Too late' })
    assert.equal(status, 400)
    assert.deepEqual(json, {
      code: 7200,
      classification: 'InvalidOperation',
      message: 'This sealing request is Open; subject can change only while it is a Draft.',
    })
  })

  test('a canceled request is over', async () => {
    const id = await workplace.draft(acme.call)
    assert.equal((await put(id, { status: 'Canceled' })).json.status, 'Canceled')
    const { status, json } = await put(id, { status: 'Open' })
    assert.equal(status, 400)
    assert.equal(json.classification, 'InvalidOperation')
    assert.equal(json.code, 7201)
  })

  test('If-Match lets a change through only where nobody was faster', async () => {
    const id = newId()
    assert.equal((await put(id, {}, { 'if-match': '*' })).json.code, 7203)
    const first = await put(id, { subject: 'One' })
    const tag = first.headers.get('etag')!
    assert.equal((await put(id, { subject: 'Two' }, { 'if-match': `"77", ${tag}` })).status, 200)
    const late = await put(id, { subject: 'Three' }, { 'if-match': tag })
    assert.equal(late.status, 400)
    assert.equal(late.json.classification, 'InvalidOperation')
    assert.match(late.json.message, /its ETag is now "2"/)
    assert.equal((await get(id)).json.subject, 'Two')
    assert.equal((await put(id, { subject: 'Four' }, { 'if-match': '*' })).json.subject, 'Four')
  })

  test('a template fills what the body leaves out', async () => {
    const sealingRequestTemplateId = await preset({ subject: 'Preset', creatorName: 'Preset', status: 'Open' })
    const { json } = await put(newId(), { sealingRequestTemplateId, subject: 'Own' })
    assert.equal(json.subject, 'Own')
    assert.equal(json.creatorName, 'Preset')
    assert.equal(json.status, 'Draft')

    const id = await workplace.draft(acme.call, 0, { subject: 'Mine' })
    const later = await put(id, { sealingRequestTemplateId })
    assert.equal(later.json.subject, 'Mine')
    assert.equal(later.json.creatorName, 'Preset')
    assert.equal(later.json.sealingRequestTemplateId, sealingRequestTemplateId)
  })

  test('refuses what is malformed or points at nothing, and then creates nothing', async () => {
    const foreign = workplace.other
    const cases: [body: object, classification: string, message: RegExp][] = [
      [{ subject: 5 }, 'InvalidArgument', /^subject: must be a text/],
      [{ subject: 'x'.repeat(501) }, 'InvalidArgument', /^subject: .*500/],
      [{ status: 'Sealed' }, 'InvalidArgument', /^status: must be one of Draft, Open/],
      [{ languageCode: 'no language' }, 'InvalidArgument', /^languageCode: /],
      [{ departmentId: 'sales' }, 'InvalidArgument', /^departmentId: must be a UUID/],
      [{ tenantId: foreign.tenantId }, 'ReferenceConstraint', /^tenantId: /],
      [{ departmentId: newId() }, 'ReferenceConstraint', /^departmentId: /],
      [{ departmentId: foreign.rootDepartmentId }, 'ReferenceConstraint', /^departmentId: /],
      [{ creatorId: newId() }, 'ReferenceConstraint', /^creatorId: /],
      [{ creatorId: foreign.administratorId }, 'ReferenceConstraint', /^creatorId: /],
      [{ sealingRequestTemplateId: newId() }, 'ReferenceConstraint', /^sealingRequestTemplateId: /],
      [{ status: 'Processed' }, 'InvalidOperation', /^status: .* can not become Processed/],
    ]
    for (const [body, classification, message] of cases) {
      const id = newId()
      const { status, json } = await put(id, body)
      assert.equal(status, 400, JSON.stringify(body))
      assert.equal(json.classification, classification, JSON.stringify(body))
      assert.match(json.message, message)
      assert.equal((await get(id)).json.classification, 'EntityNotFound')
    }
    assert.equal((await put('mine', {})).json.message, 'sealingRequestId: must be a UUID')
    assert.equal((await acme.call('PUT', `/sealing/sealingrequest/${newId()}`)).status, 400)
  })

  test('another tenant’s request is unknown, and its id is free', async () => {
    const id = await workplace.draft(acme.call, 0, { subject: 'Ours' })
    const { json } = await workplace.other.call('GET', `/sealing/sealingrequest/${id}`)
    assert.deepEqual(json, {
      code: 2200,
      classification: 'EntityNotFound',
      message: `There is no sealing request with the id "${id}".`,
    })
    const theirs = await workplace.other.call('PUT', `/sealing/sealingrequest/${id}`, { subject: 'Theirs' })
    assert.equal(theirs.json.tenantId, workplace.other.tenantId)
    assert.equal((await get(id)).json.subject, 'Ours')
  })

  test('a key of the department beside it may neither see nor change it', async () => {
    const { sales, legal } = workplace
    const id = await workplace.draft(sales.call)
    const attempts: [string, string, unknown?][] = [
      ['GET', `/sealing/sealingrequest/${id}`],
      ['PUT', `/sealing/sealingrequest/${id}`, {}],
      ['PUT', `/sealing/sealingrequest/${newId()}`, { departmentId: sales.id }],
      ['POST', `/sealing/sealingrequest`, { departmentId: sales.id }],
      ['GET', `/sealing/sealingrequest?departmentId=${sales.id}`],
    ]
    for (const [method, path, body] of attempts) {
      const { status, json } = await legal.call(method, path, body)
      assert.equal(status, 403, `${method} ${path}`)
      assert.equal(json.classification, 'AuthorizationError')
    }
    assert.equal((await acme.call('GET', `/sealing/sealingrequest/${id}`)).json.departmentId, sales.id)
  })

  test('an ordinary user acts in nobody else’s name, and may leave a name as it is', async () => {
    const { service, sales } = workplace
    const asUser = await addPerson(service, acme, { departmentId: sales.id, role: 'clerk' })
    const other = { creatorId: acme.administratorId }
    const refused = await asUser('PUT', `/sealing/sealingrequest/${newId()}`, other)
    assert.equal(refused.status, 403)
    assert.equal(refused.json.code, 6005)

    const id = await workplace.draft(acme.call, 0, { ...other, departmentId: sales.id })
    const { status, json } = await asUser('PUT', `/sealing/sealingrequest/${id}`, { ...other, subject: 'By a clerk' })
    assert.equal(status, 200)
    assert.equal(json.subject, 'By a clerk')
    assert.equal(json.creatorId, acme.administratorId)
  })

  test('twenty calls that create the same id at once: one creates, the others change', async () => {
    const id = newId()
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => put(id, { subject: `Number ${index}` })))
    assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([200]))
    const versions = replies.map((reply) => Number(reply.headers.get('etag')!.slice(1, -1)))
    assert.deepEqual(
      versions.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    assert.deepEqual(await eventsOf(id), [{ type: 'sealingrequestcreated' }])
  })

  test('twenty calls that open the same request at once: one event', async () => {
    const id = await workplace.draft(acme.call, 1)
    const replies = await Promise.all(Array.from({ length: 20 }, () => put(id, { status: 'Open' })))
    assert.deepEqual(new Set(replies.map((reply) => `${reply.status} ${reply.json.status}`)), new Set(['200 Open']))
    assert.equal((await eventsOf(id)).filter(({ type }) => type === 'sealingrequeststatusupdated').length, 1)
  })
})
