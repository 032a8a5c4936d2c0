import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import {
  create,
  payload,
  pdf,
  requireRightCounts,
  requireWholeHistories,
  typesOfEvents,
} from '../../../test/signature-requests.ts'

describe('changing a draft', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  const change = (id: string, changes: Record<string, unknown> = {}, { call } = acme) =>
    call('PUT', `/onestepsigning/signaturerequest/${id}`, payload({ status: 'Draft', ...changes }))
  const search = async (words: string) => {
    const { json } = await acme.call('GET', `/signing/signaturerequest?search=${words}`)
    return (json.items as { id: string }[]).map(({ id }) => id)
  }

  test('puts other content into it; id, creation and history go on', async () => {
    const id = await create(acme.call, { status: 'Draft', subject: 'Zeppelin', externalReference: 'old-1' })
    const { json: before } = await acme.call('GET', `/signing/signaturerequest/${id}`)
    const { status, json, text } = await change(id, {
      subject: 'Airship',
      signatories: [
        { firstName: 'Ada', email: 'ada@example.com' },
        { firstName: 'Bo', email: 'bo@example.com', signatoryGroupSigningOrder: 2 },
      ],
      documents: [{ fileName: 'other.pdf', contentBase64: pdf('Other') }],
    })
    assert.equal(status, 200, text)
    assert.deepEqual([json.id, json.status, json.subject, json.externalReference], [id, 'Draft', 'Airship', null])
    assert.deepEqual([json.creationDate, json.creatorId], [before.creationDate, before.creatorId])
    assert.deepEqual(
      json.signatories.map(({ firstName }: { firstName: string }) => firstName),
      ['Ada', 'Bo'],
    )
    assert.deepEqual(
      json.documents.map(({ fileName }: { fileName: string }) => fileName),
      ['other.pdf'],
    )
    assert.deepEqual(await typesOfEvents(service, id), ['signaturerequestcreated', 'signaturerequestchanged'])
    assert.deepEqual([await search('zeppelin'), await search('airship')], [[], [id]])
    const kept = await service.database.asOwner(
      'select file_name, purge_at is not null as released from stored_document where tenant_id = $1 order by created_at, id',
      [acme.tenantId],
    )
    assert.deepEqual(kept, [
      { file_name: 'lease.pdf', released: true },
      { file_name: 'other.pdf', released: false },
    ])
    await requireWholeHistories(service)
  })

  test('may empty it, and may fill and open it at once', async () => {
    const id = await create(acme.call, { status: 'Draft' })
    const emptied = await change(id, { signatories: [], documents: [] })
    assert.deepEqual([emptied.json.signatories, emptied.json.documents], [[], []])
    const opened = await change(id, { status: 'Open' })
    assert.equal(opened.status, 200, opened.text)
    assert.equal(opened.json.status, 'Open')
    assert.deepEqual((await typesOfEvents(service, id)).slice(-3), [
      'signaturerequestchanged',
      'signaturerequestopened',
      'signaturerequeststatusupdated',
    ])
    const link = await acme.call(
      'GET',
      `/signing/signaturerequest/${id}/signatory/${opened.json.signatories[0].id}/link`,
    )
    assert.equal(link.status, 200)
    await requireRightCounts(service)
  })

  test('moves it to another department, and the counters with it', async () => {
    const { id: departmentId } = await addDepartment(service, acme, 'Sales')
    const id = await create(acme.call, { status: 'Draft' })
    assert.equal((await change(id, { departmentId })).json.departmentId, departmentId)
    assert.equal((await change(id)).json.departmentId, departmentId, 'where none is said, it stays')
    await requireRightCounts(service)
    const { status, json } = await change(id, { departmentId: newId() })
    assert.deepEqual([status, json.classification], [400, 'ReferenceConstraint'])
  })

  test('is refused where it would be refused at creation, and the draft stays as it was', async () => {
    const id = await create(acme.call, { status: 'Draft', subject: 'As it was' })
    for (const [changes, message] of [
      [{ status: 'Open', signatories: [] }, /signatories: must have at least one/],
      [{ subject: undefined }, /subject: is required/],
      [{ documents: [{ fileName: 'no.pdf', contentBase64: 'bm90IGEgUERG' }] }, /documents\[0\]/],
    ] as const) {
      const { status, json } = await change(id, changes)
      assert.equal(status, 400)
      assert.match(json.message, message)
    }
    const { json } = await acme.call('GET', `/signing/signaturerequest/${id}`)
    assert.deepEqual([json.subject, json.signatories.length, json.documents.length], ['As it was', 1, 1])
    assert.deepEqual(await typesOfEvents(service, id), ['signaturerequestcreated'])
  })

  test('is refused for what is no draft any more, for what is not there and for what is not ours', async () => {
    const id = await create(acme.call)
    const open = await change(id)
    assert.deepEqual([open.status, open.json.classification], [400, 'InvalidOperation'])
    assert.match(open.json.message, /is Open; it cannot be changed/)
    const draft = await create(acme.call, { status: 'Draft' })
    for (const answer of [await change(newId()), await change(draft, {}, other)]) {
      assert.deepEqual([answer.status, answer.json.classification], [400, 'EntityNotFound'])
    }
  })

  test('of a change and an opening at once, the people who are asked are those who stand in it', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => create(acme.call, { status: 'Draft' })))
    await Promise.all(
      ids.map(async (id) => {
        const [changed, opened] = await Promise.all([
          change(id, { signatories: [{ firstName: 'Changed', email: 'changed@example.com' }] }),
          acme.call('POST', `/signing/signaturerequest/${id}/open`),
        ])
        assert.equal(opened.status, 200)
        const { json } = await acme.call('GET', `/signing/signaturerequest/${id}`)
        assert.equal(json.status, 'Open')
        assert.equal(json.signatories[0].firstName, changed.status === 200 ? 'Changed' : 'Aino')
      }),
    )
    await requireWholeHistories(service)
    await requireRightCounts(service)
  })
})
