// Listings from their first to their last item, by each way in which the service pages.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect, type Countersign } from '#client'
import { startFlakyProxy, type FlakyProxy } from '../fakes/flaky-proxy.ts'
import { startService, type TestService } from '../service.ts'
import { payload } from '../signature-requests.ts'
import { makePdf } from '../small-pdf.ts'
import { until } from '../until.ts'

describe('listings through the client', () => {
  let service: TestService
  let proxy: FlakyProxy
  let countersign: Countersign
  let ids: string[]

  before(async () => {
    service = await startService({}, { worker: { delivers: true, handlers: () => [] } })
    proxy = await startFlakyProxy(service.url)
    const acme = await service.createTenant()
    countersign = connect({ url: proxy.url, key: acme.key })
    ids = []
    for (let batch = 0; batch < 23; batch++) ids.push(...(await Promise.all(Array.from({ length: 10 }, createDraft))))
  })
  after(async () => {
    await proxy.stop()
    await service.stop()
  })

  const createDraft = async () => (await countersign.createSignatureRequest({ subject: 'Lease' })).id

  test('all 230 requests come once each, in pages of a hundred', async () => {
    proxy.passed.length = 0
    const found = await Array.fromAsync(countersign.all('listSignatureRequests'), ({ id }) => id)
    assert.deepEqual(found.toSorted(), ids.toSorted())
    assert.equal(proxy.passed.length, 3)
  })

  test('filters and the size of a page are the caller’s; a full last page is followed by an empty one', async () => {
    proxy.passed.length = 0
    const drafts = await Array.fromAsync(countersign.all('listSignatureRequests', { status: 'Draft', take: 115 }))
    assert.equal(drafts.length, 230)
    assert.equal(proxy.passed.length, 3)
    assert.deepEqual(await Array.fromAsync(countersign.all('listSignatureRequests', { status: 'Open' })), [])
  })

  test('what is created meanwhile does not make others come twice', async () => {
    const found: string[] = []
    for await (const { id } of countersign.all('listSignatureRequests', { take: 50 })) {
      found.push(id)
      if (found.length % 50 === 0 && found.length <= 150) await createDraft()
    }
    assert.equal(new Set(found).size, found.length)
    assert.ok(ids.every((id) => found.includes(id)))
  })

  test('nothing is fetched that nobody asks for', async () => {
    proxy.passed.length = 0
    for await (const request of countersign.all('listSignatureRequests', { take: 10 })) {
      assert.ok(request.id)
      break
    }
    assert.equal(proxy.passed.length, 1)
  })

  test('a history is read by its token', async () => {
    const { id } = await countersign.createSignatureRequest(payload())
    await countersign.cancelSignatureRequest({ id })
    const input = { signatureRequestId: id, pageSize: 1 }
    const events = await Array.fromAsync(countersign.all('readSignatureRequestHistory', input))
    assert.ok(events.length >= 3)
    assert.deepEqual(
      events.map(({ sequenceNumber }) => sequenceNumber),
      events.map((_, at) => at + 1),
    )
  })

  test('document templates are read with the capitals of their parameters', async () => {
    const { uri: templateUri } = await countersign.uploadDocument({ content: new Uint8Array(makePdf()) })
    for (const name of ['A', 'B', 'C']) await countersign.createDocumentTemplate({ name, templateUri })
    const names = await Array.fromAsync(countersign.all('listDocumentTemplates', { Take: 2 }), ({ name }) => name)
    assert.deepEqual(names.toSorted(), ['A', 'B', 'C'])
  })

  test('the feed is read by its cursor, up to now', async () => {
    const wanted = new Set(ids)
    const created = await until('the feed', async () => {
      const events = await Array.fromAsync(countersign.all('followEvents', { pageSize: 50 }))
      const found = events.filter(
        ({ eventType, requestId }) => eventType === 'signaturerequestcreated' && wanted.has(requestId),
      )
      return found.length >= wanted.size && found
    })
    assert.equal(new Set(created.map(({ requestId }) => requestId)).size, wanted.size)
  })

  test('a listing without pages is read whole', async () => {
    const departments = await Array.fromAsync(countersign.all('listSealCertificates'))
    assert.deepEqual(departments, [])
  })

  test('the service’s refusal comes out of the loop', async () => {
    const loop = Array.fromAsync(countersign.all('listSignatureRequests', { take: 501 }))
    await assert.rejects(loop, { name: 'CountersignError', status: 400 })
  })
})
