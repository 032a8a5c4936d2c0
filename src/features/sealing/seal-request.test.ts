import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { pdfsigReport, skipWithout } from '#pades/testing/judges.ts'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { until } from '../../../test/until.ts'
import {
  documentsOf,
  draftWith,
  eventsOf,
  fetchFile,
  judge,
  open,
  openWith,
  requireOneSeal,
  waitFor,
} from './testing/sealer.ts'

describe('sealing a request', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService({}, { worker: true })
    acme = await service.createTenant('Acme')
  })

  after(() => service.stop())

  test('two documents: both are sealed at B-LTA, and what was given is kept', async () => {
    const given = [makePdf('One'), makePdf('Two')]
    const id = await openWith(acme.call, given)
    const processed = await waitFor(acme.call, id, 'Processed')
    assert.equal(processed.statusReason, null)

    for (const [index, document] of (await documentsOf(acme.call, id)).entries()) {
      const source = await fetchFile(acme.call, document.sourceDocumentURI)
      assert.deepEqual(source, given[index])
      const sealed = await fetchFile(acme.call, document.documentURI)
      assert.ok(sealed.subarray(0, source.length).equals(source), 'the document stays as it was given')
      await requireOneSeal(service, sealed)
    }
    const levels = await service.database.asOwner(
      'select level_asked as asked, level_reached as reached from sealing_document where request_id = $1',
      [id],
    )
    assert.deepEqual(levels, [
      { asked: 'B-LTA', reached: 'B-LTA' },
      { asked: 'B-LTA', reached: 'B-LTA' },
    ])
  })

  test('the history tells what was to be sealed before the key was used, and how it ended', async () => {
    const id = await openWith(acme.call, [makePdf('Three')])
    await waitFor(acme.call, id, 'Processed')
    const [document] = await documentsOf(acme.call, id)
    const { documentURI, sourceDocumentURI } = document!
    const [source, sealed] = await Promise.all(
      [sourceDocumentURI, documentURI].map(async (uri) => sha256Of(await fetchFile(acme.call, uri))),
    )
    const events = await eventsOf(service, id)
    assert.deepEqual(
      events.map(({ type, body }) => [type, body.data['status'] ?? null]),
      [
        ['sealingrequestcreated', 'Draft'],
        ['sealingrequeststatusupdated', 'Open'],
        ['sealingrequeststatusupdated', 'Processing'],
        ['sealingrequestprocessed', null],
        ['sealingrequeststatusupdated', 'Processed'],
      ],
    )
    const before = { id: document!.id, sourceSha256: source }
    assert.deepEqual(events[2]!.body.data['documents'], [{ ...before, sourceDocumentURI }])
    assert.deepEqual(events[3]!.body.data['documents'], [{ ...before, sha256: sealed, level: 'B-LTA' }])
    assert.match(String(events[2]!.body.data['certificate']), /^[0-9a-f]{32}$/)
    for (const { body } of events) assert.equal(body.data['creatorId'], acme.serviceUserId)
    const { json } = await acme.call('GET', '/sealing/sealingrequest?status=Processing')
    assert.equal(json.total, 0, 'the counters have moved along')
  })

  test('the history tells the SHA-256 of each of several files before and after', async () => {
    const id = await openWith(acme.call, [makePdf('Left'), makePdf('Right'), makePdf('Middle')])
    await waitFor(acme.call, id, 'Processed')
    const files = await Promise.all(
      (await documentsOf(acme.call, id)).map(async (document) => ({
        id: document.id,
        sourceSha256: sha256Of(await fetchFile(acme.call, document.sourceDocumentURI)),
        sha256: sha256Of(await fetchFile(acme.call, document.documentURI)),
        level: 'B-LTA',
      })),
    )
    const told = (await eventsOf(service, id)).find(({ type }) => type === 'sealingrequestprocessed')
    assert.deepEqual(told!.body.data['documents'], files)
  })

  test('another program finds the seal valid', { skip: skipWithout('pdfsig') }, async () => {
    const id = await openWith(acme.call, [makePdf('Four')])
    await waitFor(acme.call, id, 'Processed')
    const [document] = await documentsOf(acme.call, id)
    const answer = pdfsigReport(await fetchFile(acme.call, document!.documentURI))
    assert.match(answer, /Signature #1:[\s\S]*Signature is Valid/)
  })

  test('a department without a seal of its own uses that of the nearest one above', async () => {
    const sales = await addDepartment(service, acme, 'Sales')
    const id = await openWith(sales.call, [makePdf('Five')])
    await waitFor(sales.call, id, 'Processed')
    const [document] = await documentsOf(sales.call, id)
    const report = await judge(service, await fetchFile(sales.call, document!.documentURI))
    assert.equal(report.verdict, 'valid')
    assert.match(report.signatures[0]!.subject ?? '', /Acme/)
  })

  test('a document with a damaged table of contents is repaired, sealed, and kept as it came', async () => {
    const damaged = Buffer.from(
      makePdf('Six')
        .toString('latin1')
        .replace(/startxref\n\d+/, 'startxref\n7'),
      'latin1',
    )
    const id = await openWith(acme.call, [damaged])
    await waitFor(acme.call, id, 'Processed')
    const [document] = await documentsOf(acme.call, id)
    assert.deepEqual(await fetchFile(acme.call, document!.sourceDocumentURI), damaged)
    await requireOneSeal(service, await fetchFile(acme.call, document!.documentURI))
  })

  test('a document that was sealed before gets a second seal, and the first one stays valid', async () => {
    const first = await openWith(acme.call, [makePdf('Seven')])
    await waitFor(acme.call, first, 'Processed')
    const [once] = await documentsOf(acme.call, first)
    const second = await openWith(acme.call, [await fetchFile(acme.call, once!.documentURI)])
    await waitFor(acme.call, second, 'Processed')
    const [twice] = await documentsOf(acme.call, second)
    const report = await judge(service, await fetchFile(acme.call, twice!.documentURI))
    assert.equal(report.verdict, 'valid', JSON.stringify(report))
    assert.deepEqual(
      report.signatures.map(({ fieldName }) => fieldName),
      ['Seal', 'Seal 2'],
    )
  })

  test('one document that can’t be sealed: Error in plain words, and none of them is published', async () => {
    const broken = Buffer.from('%PDF-1.7\nthis is no document')
    const id = await openWith(acme.call, [makePdf('Eight'), broken])
    const { statusReason } = await waitFor(acme.call, id, 'Error')
    assert.match(statusReason, /PDF/)
    for (const { documentURI, sourceDocumentURI } of await documentsOf(acme.call, id)) {
      assert.equal(documentURI, sourceDocumentURI)
    }
    const types = (await eventsOf(service, id)).map(({ type }) => type)
    assert.deepEqual(types.slice(-2), ['sealingrequestfailed', 'sealingrequeststatusupdated'])
    await open(acme.call, id)
    await waitFor(acme.call, id, 'Error')
  })

  test('a document with a script in it is refused by name', async () => {
    const id = await openWith(acme.call, [withScript(makePdf('Nine'))])
    const { statusReason } = await waitFor(acme.call, id, 'Error')
    assert.match(statusReason, /JavaScript/i)
  })

  test('a seal stays valid after its certificate has been revoked, by its timestamp', async () => {
    const legal = await addDepartment(service, acme, 'Legal')
    const { json: pending } = await legal.call('POST', '/sealing/certificate', { generate: true })
    await until('the seal', async () => {
      const { json } = await legal.call('GET', '/sealing/certificate')
      return json.items[0].state === 'Active'
    })
    const id = await openWith(legal.call, [makePdf('Eleven')])
    await waitFor(legal.call, id, 'Processed')
    const [document] = await documentsOf(legal.call, id)
    const sealed = await fetchFile(legal.call, document!.documentURI)
    await legal.call('DELETE', `/sealing/certificate/${pending.id}`)
    service.clock.advance(60 * 60 * 1000)
    const report = await judge(service, sealed)
    assert.equal(report.verdict, 'valid', JSON.stringify(report))
    assert.match(report.signatures[0]!.subject ?? '', /Legal/)
  })

  test('without any seal certificate left: Error, and it says how to get one', async () => {
    const poor = await service.createTenant('Poor')
    const first = await openWith(poor.call, [makePdf('Twelve')])
    await waitFor(poor.call, first, 'Processed')
    const { json } = await poor.call('GET', '/sealing/certificate')
    await poor.call('DELETE', `/sealing/certificate/${json.items[0].id}`)
    const id = await openWith(poor.call, [makePdf('Thirteen')])
    const { statusReason } = await waitFor(poor.call, id, 'Error')
    assert.match(statusReason, /POST \/sealing\/certificate/)
    await poor.call('POST', '/sealing/certificate', { generate: true })
    await until('the new seal', async () => {
      const { json: listed } = await poor.call('GET', '/sealing/certificate')
      return listed.items[0].state === 'Active'
    })
    await open(poor.call, id)
    await waitFor(poor.call, id, 'Processed')
  })

  test('twenty requests at once are all sealed, each once', async () => {
    const files = Array.from({ length: 20 }, (_, index) => makePdf(`Of twenty: ${index}`))
    const ids = await Promise.all(files.map((file) => openWith(acme.call, [file])))
    await Promise.all(ids.map((id) => waitFor(acme.call, id, 'Processed')))
    for (const id of ids.slice(0, 3)) {
      const [document] = await documentsOf(acme.call, id)
      await requireOneSeal(service, await fetchFile(acme.call, document!.documentURI))
    }
  })

  test('a mixed crowd: each ends as it would alone, with its own history, counts and owner', async () => {
    const mixed = await service.createTenant('Mixed')
    const branch = await addDepartment(service, mixed, 'Branch')
    const several = [makePdf('First'), makePdf('Second'), makePdf('Third')]
    const drafts = await Promise.all([
      draftWith(mixed.call, [makePdf('Alone')]),
      draftWith(mixed.call, several),
      draftWith(mixed.call, [withScript(makePdf('Scripted'))]),
      ...[1, 2, 3].map((number) => draftWith(branch.call, [makePdf(`Branch ${number}`)])),
    ])
    await Promise.all(drafts.map((id) => open(mixed.call, id)))
    const ends = drafts.map((_, index) => (index === 2 ? 'Error' : 'Processed'))
    await Promise.all(drafts.map((id, index) => waitFor(mixed.call, id, ends[index]!)))
    for (const id of drafts) {
      const documents = await documentsOf(mixed.call, id)
      assert.ok(
        documents.every(
          ({ documentURI, sourceDocumentURI }) => (documentURI === sourceDocumentURI) === (id === drafts[2]),
        ),
      )
      await requireWholeChain(service, id)
    }
    const counted = await service.database.asOwner(
      'select status, sum(amount)::int as amount from request_count where tenant_id = $1 group by status',
      [mixed.tenantId],
    )
    const amounts = Object.fromEntries(counted.map(({ status, amount }) => [status, amount]))
    assert.deepEqual({ ...amounts }, { Draft: 0, Open: 0, Processing: 0, Processed: 5, Error: 1 })
    const strangers = await service.database.asOwner(
      `select d.id from sealing_document d
         join sealing_request r on r.tenant_id = d.tenant_id and r.id = d.request_id
         join stored_document s on s.tenant_id = d.tenant_id and s.id = d.document_id
        where d.tenant_id = $1 and s.department_id <> r.department_id`,
      [mixed.tenantId],
    )
    assert.deepEqual(strangers, [])
  })

  test('opening twice at once seals once', async () => {
    const id = await draftWith(acme.call, [makePdf('Ten')])
    await Promise.all([1, 2].map(() => acme.call('PUT', `/sealing/sealingrequest/${id}`, { status: 'Open' })))
    await waitFor(acme.call, id, 'Processed')
    const moves = (await eventsOf(service, id)).filter(({ type }) => type === 'sealingrequestprocessed')
    assert.equal(moves.length, 1)
  })
})

const sha256Of = (file: Buffer) => createHash('sha256').update(file).digest('hex')

function withScript(pdf: Buffer): Buffer {
  const catalog = '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /Type /Catalog'
  return Buffer.from(pdf.toString('latin1').replace('/Type /Catalog', catalog), 'latin1')
}

/** Each event names the one before it, and the chain its last one. */
async function requireWholeChain({ database }: TestService, requestId: string): Promise<void> {
  const events = await database.asOwner(
    'select sequence, hash, previous_hash from event where request_id = $1 order by sequence',
    [requestId],
  )
  const [chain] = await database.asOwner('select * from event_chain where request_id = $1', [requestId])
  for (const [index, event] of events.entries()) {
    assert.equal(event['sequence'], index + 1)
    if (index > 0) assert.deepEqual(event['previous_hash'], events[index - 1]!['hash'])
  }
  assert.deepEqual([chain!['last_sequence'], chain!['last_hash']], [events.length, events.at(-1)!['hash']])
}
