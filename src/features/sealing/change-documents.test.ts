import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { startWorkplace, type Workplace } from './testing/workplace.ts'

describe('documents of a sealing request', () => {
  let workplace: Workplace
  let acme: Workplace['acme']

  before(async () => {
    workplace = await startWorkplace({ COUNTERSIGN_MAX_DOCUMENTS: '20' })
    acme = workplace.acme
  })
  after(() => workplace.service.stop())

  const add = (id: string, body: unknown) => acme.call('POST', `/sealing/sealingrequest/${id}/document`, body)
  const list = async (id: string) => (await acme.call('GET', `/sealing/sealingrequest/${id}/document`)).json
  const remove = (id: string, documentId: string) =>
    acme.call('DELETE', `/sealing/sealingrequest/${id}/document/${documentId}`)
  const open = (id: string) => acme.call('PUT', `/sealing/sealingrequest/${id}`, { status: 'Open' })

  test('are added in order, listed, and answered with when they are removed', async () => {
    const id = await workplace.draft(acme.call)
    const [first, second] = [await workplace.storeDocument(), await workplace.storeDocument()]
    const documentTypeId = newId()
    const full = { documentURI: first, fileName: 'a.pdf', title: 'A', documentTypeId, creatorName: 'Ann' }
    const added = await add(id, { ...full, creatorId: acme.administratorId })
    assert.equal(added.status, 200)
    assert.deepEqual(added.json, {
      ...full,
      id: added.json.id,
      sourceDocumentURI: first,
      creatorId: acme.administratorId,
    })
    const plain = await add(id, { documentURI: second.toUpperCase() })
    assert.deepEqual(plain.json, {
      id: plain.json.id,
      documentURI: second,
      sourceDocumentURI: second,
      fileName: 'contract.pdf',
      title: null,
      documentTypeId: null,
      creatorId: acme.serviceUserId,
      creatorName: null,
    })
    assert.deepEqual(await list(id), { total: 2, items: [added.json, plain.json] })

    const removed = await remove(id, added.json.id)
    assert.equal(removed.status, 200)
    assert.deepEqual(removed.json, added.json)
    assert.deepEqual(await list(id), { total: 1, items: [plain.json] })
    assert.equal((await remove(id, added.json.id)).json.code, 2201)
  })

  test('that are in use are not purged, and change the version of their request', async () => {
    const id = await workplace.draft(acme.call)
    const documentURI = await workplace.storeDocument()
    await add(id, { documentURI })
    const rows = await workplace.service.database.asOwner('select purge_at from stored_document where id = $1', [
      documentURI,
    ])
    assert.deepEqual(rows, [{ purge_at: null }])
    const request = await acme.call('GET', `/sealing/sealingrequest/${id}`)
    assert.equal(request.headers.get('etag'), '"2"')
  })

  test('must be stored PDFs within reach', async () => {
    const id = await workplace.draft(acme.call)
    const text = await workplace.storeDocument({ contentType: 'text/plain' })
    const foreign = await workplace.storeDocument({ tenant: workplace.other })
    const documentURI = await workplace.storeDocument()
    const cases: [body: object, code: number, message: RegExp][] = [
      [{}, 1000, /^documentURI: is required/],
      [{ documentURI: newId() }, 4000, /^documentURI: there is no such stored document/],
      [{ documentURI: 'contract.pdf' }, 4000, /^documentURI: /],
      [{ documentURI: foreign }, 4000, /^documentURI: /],
      [{ documentURI: text }, 1200, /^documentURI: must name a PDF document; this one is "text\/plain"/],
      [{ documentURI, fileName: '../a.pdf' }, 1000, /^fileName: /],
      [{ documentURI, documentTypeId: 'contract' }, 1000, /^documentTypeId: must be a UUID/],
      [{ documentURI, creatorId: newId() }, 4000, /^creatorId: /],
    ]
    for (const [body, code, message] of cases) {
      const { status, json } = await add(id, body)
      assert.equal(status, 400, JSON.stringify(body))
      assert.equal(json.code, code)
      assert.match(json.message, message)
    }
    assert.deepEqual(await list(id), { total: 0, items: [] })
  })

  test('may say their type with parameters and in capitals', async () => {
    const id = await workplace.draft(acme.call)
    const documentURI = await workplace.storeDocument({ contentType: 'Application/PDF; version=1.7' })
    assert.equal((await add(id, { documentURI })).status, 200)
  })

  test('stay as they are once the request is open', async () => {
    const id = await workplace.draft(acme.call, 1)
    await open(id)
    const { items } = await list(id)
    const refusals = [await add(id, { documentURI: await workplace.storeDocument() }), await remove(id, items[0].id)]
    for (const { status, json } of refusals) {
      assert.equal(status, 400)
      assert.equal(json.code, 7200)
      assert.equal(json.message, 'This sealing request is Open; its documents can change only while it is a Draft.')
    }
    assert.equal((await list(id)).total, 1)
  })

  test('belong to a request that is known and within reach', async () => {
    const { sales, legal, other } = workplace
    const id = await workplace.draft(sales.call, 1)
    const { items } = await list(id)
    const paths: [string, string, unknown?][] = [
      ['GET', '/document'],
      ['POST', '/document', { documentURI: await workplace.storeDocument() }],
      ['DELETE', `/document/${items[0].id}`],
    ]
    for (const [method, path, body] of paths) {
      const beside = await legal.call(method, `/sealing/sealingrequest/${id}${path}`, body)
      assert.equal(beside.status, 403)
      const foreign = await other.call(method, `/sealing/sealingrequest/${id}${path}`, body)
      const unknown = await acme.call(method, `/sealing/sealingrequest/${newId()}${path}`, body)
      for (const reply of [foreign, unknown]) {
        assert.equal(reply.status, 400)
        assert.equal(reply.json.code, 2200)
      }
    }
    // A key of one department can't bring in what belongs to another.
    const reached = await sales.call('POST', `/sealing/sealingrequest/${id}/document`, {
      documentURI: await workplace.storeDocument({ departmentId: legal.id }),
    })
    assert.equal(reached.status, 403)
  })

  test('of another request of the same caller are not removed through this one', async () => {
    const [one, two] = [await workplace.draft(acme.call, 1), await workplace.draft(acme.call, 1)]
    const { items } = await list(one)
    assert.equal((await remove(two, items[0].id)).json.code, 2201)
    assert.equal((await list(one)).total, 1)
  })

  test('thirty added at once: positions are unique, and the limit holds', async () => {
    const id = await workplace.draft(acme.call)
    const documentURI = await workplace.storeDocument()
    const replies = await Promise.all(Array.from({ length: 30 }, () => add(id, { documentURI })))
    assert.equal(replies.filter((reply) => reply.status === 200).length, 20)
    assert.deepEqual(new Set(replies.map((reply) => reply.json.code)), new Set([undefined, 7204]))
    const rows = await workplace.service.database.asOwner(
      'select position from sealing_document where request_id = $1 order by position',
      [id],
    )
    assert.deepEqual(
      rows.map((row) => row['position']),
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    assert.equal((await list(id)).total, 20)
  })

  test('the last one removed while the request is opened: never Open without a document', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await workplace.draft(acme.call, 1)
      const { items } = await list(id)
      const [opened, removed] = await Promise.all([open(id), remove(id, items[0].id)])
      const { total } = await list(id)
      if (opened.status === 200) {
        assert.equal(removed.json.code, 7200)
        assert.equal(total, 1)
      } else {
        assert.equal(opened.json.code, 7202)
        assert.equal(removed.status, 200)
        assert.equal(total, 0)
      }
    }
  })
})
