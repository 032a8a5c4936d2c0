import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { addDepartment } from '../../../test/departments.ts'
import { create } from '../../../test/signature-requests.ts'

describe('the history of a signature request', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant
  let id: string

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
    id = await create(acme.call)
    await acme.asAdministrator('POST', `/signing/signaturerequest/${id}/cancel`, { reason: 'Enough' })
  })
  after(() => service.stop())

  const read = (requestId: string, query = '') => acme.call('GET', `/event/signaturerequest/${requestId}${query}`)

  test('is told oldest first, with who, what and the chain', async () => {
    const { status, json } = await read(id.toUpperCase())
    assert.equal(status, 200)
    assert.equal(json.continuationToken, null)
    assert.deepEqual(
      json.items.map((event: { sequenceNumber: number; eventType: string }) => [event.sequenceNumber, event.eventType]),
      [
        [1, 'signaturerequestcreated'],
        [2, 'signaturerequestopened'],
        [3, 'signaturerequeststatusupdated'],
        [4, 'signaturerequestcanceled'],
        [5, 'signaturerequeststatusupdated'],
      ],
    )
    const [first] = json.items
    assert.deepEqual(first.actor, { kind: 'key', id: acme.serviceUserId })
    assert.equal(first.previousHash, '0'.repeat(64))
    assert.equal(first.erased, false)
    const { id: eventId, actor, signatoryId, data } = first
    assert.deepEqual(JSON.parse(Buffer.from(first.body, 'base64').toString()), {
      id: eventId,
      actor,
      signatoryId,
      data,
    })
    const last = json.items[4]
    assert.deepEqual(last.actor, { kind: 'user', id: acme.administratorId })
    assert.deepEqual(last.data, {
      creatorId: acme.serviceUserId,
      status: 'Canceled',
      previousStatus: 'Open',
      reason: 'Enough',
    })
    assert.equal(last.previousHash, json.items[3].hash)
    assert.equal(json.head.sequence, 5)
    assert.equal(json.head.hash, last.hash)
  })

  test('shows a caller what it has just caused', async () => {
    const draft = await create(acme.call, { status: 'Draft' })
    assert.equal((await read(draft)).json.items.length, 1)
    await acme.call('POST', `/signing/signaturerequest/${draft}/open`)
    assert.equal((await read(draft)).json.items.length, 3)
  })

  test('comes in pages that join without a gap, the head on the last', async () => {
    const whole = (await read(id)).json
    for (const pageSize of [1, 2, 4, 5]) {
      const items: unknown[] = []
      let query = `?PageSize=${pageSize}`
      for (;;) {
        const { json } = await read(id, query)
        items.push(...json.items)
        assert.equal(json.head === null, json.continuationToken !== null)
        if (json.continuationToken === null) break
        assert.equal(json.items.length, pageSize)
        query = `?pageSize=${pageSize}&continuationToken=${json.continuationToken}`
      }
      assert.deepEqual(items, whole.items)
    }
  })

  test('takes a continuation token only for the history that it was made for', async () => {
    const token = (await read(id, '?pageSize=2')).json.continuationToken as string
    const beside = await create(acme.call)
    const changed = token.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))
    const attempts: [string, string][] = [
      [beside, token],
      [id, changed],
      [id, 'AAAAAg'],
      [id, ''],
      [id, '%F0%9F%96%8B'],
    ]
    for (const [requestId, bad] of attempts) {
      const { status, json } = await read(requestId, `?continuationToken=${bad}`)
      assert.equal(status, 400, bad)
      assert.equal(json.classification, 'InvalidArgument')
      assert.match(json.message, /^continuationToken: /)
    }
  })

  test('refuses a page size that is none', async () => {
    for (const size of ['0', '-1', '501', 'many', '1.5']) {
      const { status, json } = await read(id, `?pageSize=${size}`)
      assert.equal(status, 400)
      assert.match(json.message, /^pageSize: /)
    }
  })

  test('of an unknown request, another tenant’s, or a sealing request is EntityNotFound', async () => {
    const sealing = await acme.call('PUT', `/sealing/sealingrequest/${newId()}`, { subject: 'Sealed' })
    assert.equal(sealing.status, 200, sealing.text)
    for (const requestId of [newId(), await create(other.call), sealing.json.id]) {
      const { status, json } = await read(requestId)
      assert.equal(status, 400)
      assert.equal(json.classification, 'EntityNotFound')
    }
    assert.equal((await read('mine')).json.message, 'signatureRequestId: must be a UUID')
  })

  test('is not for a department beside, and is for the one above', async () => {
    const [sales, legal] = [await addDepartment(service, acme, 'Sales'), await addDepartment(service, acme, 'Legal')]
    const below = await addDepartment(service, acme, 'Below', sales.path)
    const requestId = await create(below.call)
    const path = `/event/signaturerequest/${requestId}`
    assert.equal((await legal.call('GET', path)).status, 403)
    assert.equal((await sales.call('GET', path)).status, 200)
  })

  test('says where what an event told has been erased', async () => {
    const requestId = await create(acme.call, { status: 'Draft' })
    await service.database.asOwner(
      'delete from event_body where event_id in (select id from event where request_id = $1)',
      [requestId],
    )
    const [event] = (await read(requestId)).json.items
    assert.equal(event.erased, true)
    for (const field of ['actor', 'signatoryId', 'data', 'salt', 'body']) assert.equal(event[field], null)
  })

  test('a deactivated user hears that it is one', async () => {
    const tenant = await service.createTenant('Leaving')
    await service.database.asOwner('update app_user set deactivated_at = now() where id = $1', [tenant.administratorId])
    const { status, json } = await tenant.asAdministrator('GET', `/event/signaturerequest/${newId()}`)
    assert.equal(status, 403)
    assert.equal(json.classification, 'UserInactiveError')
  })
})
