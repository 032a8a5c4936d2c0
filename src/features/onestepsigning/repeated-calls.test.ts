import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import {
  create,
  CREATE,
  payload,
  pdf,
  requireRightCounts,
  requireWholeHistories,
  typesOfEvents,
} from '../../../test/signature-requests.ts'

describe('one-step signing with an id of the caller’s own', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  const read = async (id: string) => (await acme.call('GET', `/signing/signaturerequest/${id}`)).json

  test('gives the same call the same answer, even when it would be refused by now', async () => {
    const id = newId()
    const body = payload({ id: id.toUpperCase(), expirationDate: new Date(Date.now() + 3_600_000).toISOString() })
    assert.deepEqual((await acme.call('POST', CREATE, body)).json, { id })
    service.clock.advance(7_200_000)
    const again = await acme.call('POST', CREATE, { ...body, unknown: 'field' })
    service.clock.advance(-7_200_000)
    assert.equal(again.status, 202)
    assert.deepEqual(again.json, { id })
    assert.equal((await typesOfEvents(service, id)).length, 3)
  })

  test('is refused with other content', async () => {
    const id = await create(acme.call, { id: newId() })
    const changes = [{ subject: 'Another' }, { documents: [{ contentBase64: pdf('another') }] }]
    for (const change of changes) {
      const { status, json } = await acme.call('POST', CREATE, payload({ id, ...change }))
      assert.equal(status, 400)
      assert.equal(json.classification, 'UniqueConstraint')
    }
  })

  test('may be the same in another tenant', async () => {
    const id = await create(acme.call, { id: newId() })
    assert.equal(await create(other.call, { id }), id)
  })

  test('fifty at once make one request, and all are answered alike', async () => {
    const id = newId()
    const replies = await Promise.all(Array.from({ length: 50 }, () => acme.call('POST', CREATE, payload({ id }))))
    for (const { status, json } of replies) {
      assert.equal(status, 202)
      assert.deepEqual(json, { id })
    }
    assert.equal((await read(id)).documents.length, 1)
    assert.equal((await typesOfEvents(service, id)).length, 3)
  })

  test('two bodies for one id at once: one wins', async () => {
    const id = newId()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => acme.call('POST', CREATE, payload({ id, subject: `Number ${index}` }))),
    )
    assert.equal(replies.filter((reply) => reply.status === 202).length, 1)
    assert.equal(replies.filter((reply) => reply.json.classification === 'UniqueConstraint').length, 9)
  })

  test('an Idempotency-Key makes one request of two calls', async () => {
    const headers = { 'idempotency-key': newId() }
    const first = await acme.call('POST', CREATE, payload(), { headers })
    const second = await acme.call('POST', CREATE, payload(), { headers })
    assert.equal(second.status, 202)
    assert.deepEqual(second.json, first.json)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
  })

  test('after all this every history is whole and every counter right', async () => {
    await requireWholeHistories(service)
    await requireRightCounts(service)
  })
})
