import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import {
  countLinks,
  create,
  forceStatus,
  requireRightCounts,
  requireWholeHistories,
  typesOfEvents,
} from '../../../test/signature-requests.ts'

describe('canceling a signature request', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  const cancel = (id: string, body?: unknown) => acme.call('POST', `/signing/signaturerequest/${id}/cancel`, body)

  test('answers with the request as it is from then on, and its links are dead', async () => {
    const id = await create(acme.call)
    assert.equal(await countLinks(service, id), 1)
    const { status, json } = await cancel(id, { reason: 'No longer needed' })
    assert.equal(status, 200)
    assert.equal(json.status, 'Canceled')
    assert.equal(json.statusReason, 'No longer needed')
    assert.equal(json.finishedDate, json.modifiedDate)
    assert.equal(json.signatories[0].state, 'Waiting')
    assert.deepEqual(json, (await acme.call('GET', `/signing/signaturerequest/${id}`)).json)
    assert.equal(await countLinks(service, id), 0)
    assert.deepEqual((await typesOfEvents(service, id)).slice(3), [
      'signaturerequestcanceled',
      'signaturerequeststatusupdated',
    ])
  })

  test('needs no body and no content type', async () => {
    for (const body of [undefined, {}, null]) {
      const { status, json } = await cancel((await create(acme.call)).toUpperCase(), body)
      assert.equal(status, 200)
      assert.equal(json.statusReason, null)
    }
    const raw = { raw: '{"reason":"a"}', headers: { 'content-type': 'application/json-patch+json' } }
    const id = await create(acme.call, { status: 'Draft' })
    const { json } = await acme.call('POST', `/signing/signaturerequest/${id}/cancel/`, undefined, raw)
    assert.equal(json.statusReason, 'a')
  })

  test('a second time is 204', async () => {
    const id = await create(acme.call)
    await cancel(id, { reason: 'first' })
    const again = await cancel(id, { reason: 'second' })
    assert.equal(again.status, 204)
    assert.equal(again.text, '')
    assert.equal((await acme.call('GET', `/signing/signaturerequest/${id}`)).json.statusReason, 'first')
  })

  test('of a draft alone refuses what was sent or canceled meanwhile; against opening at once, one wins', async () => {
    const draftOnly = (id: string) => cancel(id, { onlyFrom: 'Draft' })
    assert.equal((await draftOnly(await create(acme.call, { status: 'Draft' }))).status, 200)
    const sent = await create(acme.call)
    const { status, json } = await draftOnly(sent)
    assert.deepEqual([status, json.code], [400, 7100])
    assert.equal((await acme.call('GET', `/signing/signaturerequest/${sent}`)).json.status, 'Open')
    await cancel(sent)
    assert.equal((await draftOnly(sent)).json.code, 7100)
    for (let round = 0; round < 10; round++) {
      const id = await create(acme.call, { status: 'Draft' })
      const replies = await Promise.all([draftOnly(id), acme.call('POST', `/signing/signaturerequest/${id}/open`)])
      assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 400])
    }
  })

  test('works from Error', async () => {
    const id = await create(acme.call)
    await forceStatus(service, id, 'Error')
    assert.equal((await cancel(id)).status, 200)
  })

  test('is refused in every other status', async () => {
    for (const status of ['Processing', 'Closed', 'Archiving', 'Archived', 'ArchivingFailed']) {
      const id = await create(acme.call)
      await forceStatus(service, id, status)
      const reply = await cancel(id)
      assert.equal(reply.status, 400)
      assert.deepEqual(reply.json, {
        code: 7100,
        classification: 'InvalidOperation',
        message: `This signature request is ${status}; it cannot be canceled.`,
      })
    }
  })

  test('of what is no request here is EntityNotFound, whatever the id looks like', async () => {
    const foreign = await create(other.call)
    for (const id of [newId(), foreign, 'mine', '00000000-0000-0000-0000-000000000000', 'a%20b', '%F0%9F%96%8B']) {
      const { status, json } = await cancel(id)
      assert.equal(status, 400, id)
      assert.equal(json.classification, 'EntityNotFound', id)
    }
    assert.equal((await other.call('GET', `/signing/signaturerequest/${foreign}`)).json.status, 'Open')
  })

  test('refuses a reason that is too long or no text', async () => {
    const id = await create(acme.call)
    for (const reason of ['x'.repeat(501), 7]) {
      const { status, json } = await cancel(id, { reason })
      assert.equal(status, 400)
      assert.match(json.message, /^reason: /)
    }
  })

  test('is not for a department beside', async () => {
    const [sales, legal] = [await addDepartment(service, acme, 'Sales'), await addDepartment(service, acme, 'Legal')]
    const id = await create(acme.call, { departmentId: sales.id })
    const { status, json } = await legal.call('POST', `/signing/signaturerequest/${id}/cancel`)
    assert.equal(status, 403)
    assert.equal(json.classification, 'AuthorizationError')
    assert.equal((await sales.call('POST', `/signing/signaturerequest/${id}/cancel`)).status, 200)
  })

  test('twenty at once: one wins, the others find it canceled', async () => {
    const id = await create(acme.call)
    const replies = await Promise.all(Array.from({ length: 20 }, () => cancel(id)))
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1)
    assert.equal(replies.filter((reply) => reply.status === 204).length, 19)
    assert.equal((await typesOfEvents(service, id)).length, 5)
  })

  test('against opening at once: whichever comes first, the request ends canceled without links', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await create(acme.call, { status: 'Draft' })
      const [opened, canceled] = await Promise.all([
        acme.call('POST', `/signing/signaturerequest/${id}/open`),
        cancel(id),
      ])
      assert.equal(canceled.status, 200)
      assert.ok(opened.status === 200 || opened.json.classification === 'InvalidOperation')
      assert.equal((await acme.call('GET', `/signing/signaturerequest/${id}`)).json.status, 'Canceled')
      assert.equal(await countLinks(service, id), 0)
    }
  })

  test('after all this every history is whole and every counter right', async () => {
    await requireWholeHistories(service)
    await requireRightCounts(service)
  })
})
