import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { appendRevision, emptySignatureField, makePdf } from '#pades/test-documents.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { CREATE, payload } from '../../../test/signature-requests.ts'
import { fetchBytes, invite, openLink, readRequest, untilStatus } from '../../../test/signing-flow.ts'

describe('documents of a signature request', () => {
  let service: TestService
  let tenant: TestTenant

  before(async () => {
    service = await startService({}, { worker: true })
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  const documents = (...files: Buffer[]) =>
    files.map((file) => ({ fileName: 'a.pdf', contentBase64: file.toString('base64') }))
  const damaged = (pdf: Buffer) =>
    Buffer.from(pdf.toString('latin1').replace(/startxref\s+\d+/, 'startxref\n7'), 'latin1')

  const refused: [what: string, file: Buffer, message: RegExp][] = [
    ['a script', makePdf({ catalogEntries: '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>' }), /JavaScript/],
    ['a program to start', makePdf({ catalogEntries: '/OpenAction << /S /Launch /F (calc.exe) >>' }), /contains/],
    ['no pages', makePdf({ pages: 0 }), /no pages/],
  ]
  for (const [what, file, message] of refused) {
    test(`with ${what} are refused at once, by name`, async () => {
      const { status, json } = await tenant.call('POST', CREATE, payload({ documents: documents(makePdf(), file) }))
      assert.deepEqual([status, json.code], [400, 1101], json.message)
      assert.match(json.message, /^documents\[1\]\.contentBase64: /)
      assert.match(json.message, message)
    })
  }

  test('that are damaged are repaired before the answer, and the upload is kept', async () => {
    const { requestId, signatoryIds } = await invite(tenant, { documents: documents(damaged(makePdf())) })
    const { json } = await readRequest(tenant, requestId)
    const source = await fetchBytes(service, tenant, json.documents[0].sourceDocumentURI)
    assert.ok(source.equals(damaged(makePdf())))
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    await browser.sign()
    const closed = await untilStatus(tenant, requestId, 'Closed')
    assert.equal(closed.documents[0].levelReached, 'B-LTA')
  })

  test('fields that wait in them are filled: by the signatory’s reference, then in order', async () => {
    const file = makePdf({ fields: ['Buyer', 'Seller', 'Witness'].map((name) => emptySignatureField(name)) })
    const signatories = [
      { firstName: 'A', email: 'a@example.com' },
      { firstName: 'B', email: 'b@example.com', externalReference: 'Buyer' },
    ]
    const { requestId, signatoryIds } = await invite(tenant, { documents: documents(file), signatories })
    const fields = await service.database.asOwner(
      `select f.signatory_id, f.name from signature_field f join signatory s on s.id = f.signatory_id
        where s.request_id = $1 order by s.position`,
      [requestId],
    )
    assert.deepEqual(
      fields.map((field) => [field['signatory_id'], field['name']]),
      [
        [signatoryIds[0], 'Seller'],
        [signatoryIds[1], 'Buyer'],
      ],
    )
    for (const id of signatoryIds) {
      const browser = await openLink(service, tenant, requestId, id)
      await browser.sign({
        kind: 'drawn',
        strokes: [
          [1, 1, 30, 20, 60, 5],
          [10, 10],
        ],
      })
      await browser.pageIn('signed')
    }
    await untilStatus(tenant, requestId, 'Closed')
  })

  test('that are signed already keep their signatures; those changed behind a signature are refused', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    await (await openLink(service, tenant, requestId, signatoryIds[0]!)).sign()
    const first = await untilStatus(tenant, requestId, 'Closed')
    const signed = await fetchBytes(service, tenant, first.documents[0].documentURI)
    const again = await invite(tenant, { documents: documents(signed) })
    await (await openLink(service, tenant, again.requestId, again.signatoryIds[0]!)).sign()
    await untilStatus(tenant, again.requestId, 'Closed')

    const tampered = appendRevision(signed, { 4: '<< /Length 3 >>\nstream\n0 g\nendstream' })
    const { status, json } = await tenant.call('POST', CREATE, payload({ documents: documents(tampered) }))
    assert.deepEqual([status, json.code], [400, 1101], json.message)
  })
})
