import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import {
  create,
  forceStatus,
  requireRightCounts,
  requireWholeHistories,
  typesOfEvents,
} from '../../../test/signature-requests.ts'

describe('reporting how archiving stands', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  async function createIn(status: string, changes: Record<string, unknown> = {}): Promise<string> {
    const id = await create(acme.call, changes)
    await forceStatus(service, id, status)
    return id
  }
  const report = (id: string, body: unknown) => acme.call('PATCH', `/archiving/signaturerequest/${id}`, body)
  const read = async (id: string) => (await acme.call('GET', `/signing/signaturerequest/${id}`)).json

  test('takes a closed request through archiving, whatever the case of the word', async () => {
    const id = await createIn('Closed')
    for (const [word, status] of [
      ['archiving', 'Archiving'],
      ['ARCHIVED', 'Archived'],
    ]) {
      const reply = await report(id.toUpperCase(), { status: word })
      assert.equal(reply.status, 202)
      assert.equal(reply.text, '')
      assert.equal((await read(id)).status, status)
    }
    assert.deepEqual((await typesOfEvents(service, id)).slice(3), [
      'signaturerequeststatusupdated',
      'signaturerequeststatusupdated',
    ])
  })

  test('keeps the error of a failure until it goes better', async () => {
    const id = await createIn('Archiving')
    const error = { code: 'E7', name: 'DiskFull', detail: 'No room on the archive' }
    assert.equal((await report(id, { status: 'ArchivingFailed', error })).status, 202)
    assert.deepEqual((await read(id)).archivingError, error)
    assert.equal((await report(id, { status: 'Archiving' })).status, 202)
    assert.equal((await read(id)).archivingError, null)
  })

  test('a failure needs no error, and an error may be in part', async () => {
    const id = await createIn('Closed')
    assert.equal((await report(id, { status: 'ArchivingFailed', error: null })).status, 202)
    const second = await createIn('Closed')
    await report(second, { status: 'ArchivingFailed', error: { code: '7' } })
    assert.deepEqual((await read(second)).archivingError, { code: '7', name: null, detail: null })
  })

  test('the same status again changes nothing', async () => {
    for (const status of ['Archiving', 'Archived', 'ArchivingFailed']) {
      const id = await createIn(status)
      const before = await read(id)
      const body = status === 'ArchivingFailed' ? { status, error: { code: 'new' } } : { status }
      assert.equal((await report(id, body)).status, 202)
      assert.deepEqual(await read(id), before)
    }
  })

  test('is refused before a request is closed and after it is archived', async () => {
    for (const status of ['Draft', 'Open', 'Processing', 'Error', 'Canceled', 'Archived']) {
      const id = await createIn(status)
      const { status: code, json } = await report(id, { status: 'Archiving' })
      assert.equal(code, 400)
      assert.equal(json.classification, 'InvalidOperation')
    }
  })

  const refusals: [body: unknown, message: RegExp][] = [
    [undefined, /^body: is required/],
    [{}, /^status: is required/],
    [{ status: 'Closed' }, /^status: must be one of Archiving, Archived, ArchivingFailed/],
    [{ status: 7 }, /^status: must be a text/],
    [{ status: 'Archived', error: { code: '1' } }, /^error: is allowed only with/],
    [{ status: 'ArchivingFailed', error: 'full' }, /^error: must be an object/],
    [{ status: 'ArchivingFailed', error: { detail: 7 } }, /^error\.detail: must be a text/],
    [{ status: 'ArchivingFailed', error: { detail: 'x'.repeat(4001) } }, /^error\.detail: must have at most/],
  ]
  for (const [body, message] of refusals) {
    test(`refuses ${JSON.stringify(body)?.slice(0, 60)}`, async () => {
      const { status, json } = await report(newId(), body)
      assert.equal(status, 400)
      assert.equal(json.classification, 'InvalidArgument')
      assert.match(json.message, message)
    })
  }

  test('of what is no request here is EntityNotFound', async () => {
    const foreign = await create(other.call)
    for (const id of [newId(), foreign, 'mine']) {
      const { status, json } = await report(id, { status: 'Archived' })
      assert.equal(status, 400)
      assert.equal(json.classification, 'EntityNotFound')
    }
  })

  test('is not for a department beside', async () => {
    const [sales, legal] = [await addDepartment(service, acme, 'Sales'), await addDepartment(service, acme, 'Legal')]
    const id = await createIn('Closed', { departmentId: sales.id })
    const path = `/archiving/signaturerequest/${id}`
    assert.equal((await legal.call('PATCH', path, { status: 'Archived' })).status, 403)
    assert.equal((await sales.call('PATCH', path, { status: 'Archived' })).status, 202)
  })

  test('twenty at once: one moves the request, and all are content', async () => {
    const id = await createIn('Closed')
    const replies = await Promise.all(Array.from({ length: 20 }, () => report(id, { status: 'Archived' })))
    assert.ok(replies.every((reply) => reply.status === 202))
    assert.equal((await typesOfEvents(service, id)).length, 4)
  })

  test('after all this every history is whole and every counter right', async () => {
    await requireWholeHistories(service)
    await requireRightCounts(service)
  })
})
